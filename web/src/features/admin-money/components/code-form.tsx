import { useState } from "react";
import { parsePounds } from "@/domain/parse-pounds.ts";
import { useBackend } from "@/lib/backend.tsx";
import { newId } from "@/lib/uuid.ts";
import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { createCode, type NewCode } from "../api/codes.ts";
import { useRefreshMoney } from "../queries.ts";
import { codeFormStrings, codesViewStrings, codeValueLabels, planNames } from "../strings/codes.ts";
import { moneyFields } from "../strings/fields.ts";
import { MoneyActionForm } from "./money-action-form.tsx";

const kinds = [
  { value: "percent", label: codeFormStrings.kinds.percent },
  { value: "amount", label: codeFormStrings.kinds.amount },
  { value: "trial", label: codeFormStrings.kinds.trial },
];
const durations = [
  { value: "once", label: codeFormStrings.durations.once },
  { value: "repeating", label: codeFormStrings.durations.repeating },
  { value: "forever", label: codeFormStrings.durations.forever },
];
const audiences = [
  { value: "new", label: codesViewStrings.newMembers },
  { value: "all", label: codesViewStrings.everyone },
];
const plans = Object.entries(planNames).map(([value, label]) => ({ value, label }));

const start = {
  code: "",
  kind: "percent",
  value: "",
  duration: "once",
  months: "3",
  expires: "",
  max: "",
  plan: "",
  audience: "new",
};
type Fields = typeof start;

const wholeNumber = (text: string, most: number): number | null => {
  const found = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
  return found >= 1 && found <= most ? found : null;
};

/** What the fields mean, or which of them is wrong and why. */
export function readCodeForm(
  fields: Fields,
):
  | { readonly code: Omit<NewCode, "reason"> }
  | { readonly field: keyof Fields; readonly issue: string } {
  const code = fields.code.trim().toUpperCase();
  if (!/^[A-Z0-9-]{3,40}$/.test(code)) {
    return { field: "code", issue: codeFormStrings.codeWrong };
  }
  const kind = fields.kind as NewCode["kind"];
  const value =
    kind === "amount"
      ? parsePounds(fields.value)
      : wholeNumber(fields.value, kind === "trial" ? 365 : 100);
  if (value === null || value === 0) {
    return { field: "value", issue: codeFormStrings.valueWrong(kind) };
  }
  const months = wholeNumber(fields.months, 36);
  if (kind !== "trial" && fields.duration === "repeating" && months === null) {
    return { field: "months", issue: codeFormStrings.monthsWrong };
  }
  // The whole last day counts.
  const expiresAt = fields.expires === "" ? null : Date.parse(`${fields.expires}T23:59:59Z`);
  if (expiresAt !== null && !(expiresAt > Date.now())) {
    return { field: "expires", issue: codeFormStrings.lastDayWrong };
  }
  const maxRedemptions = wholeNumber(fields.max, 1_000_000);
  if (fields.max.trim() !== "" && maxRedemptions === null) {
    return { field: "max", issue: codeFormStrings.usesWrong };
  }
  const duration = fields.duration as NewCode["duration"];
  const planId = fields.plan === "" ? null : fields.plan;
  const newMembersOnly = fields.audience === "new";
  return {
    code: {
      code,
      kind,
      value,
      duration,
      months,
      expiresAt,
      maxRedemptions,
      planId,
      newMembersOnly,
    },
  };
}

/** Makes a coupon or a trial code. */
export function CodeForm({ onDone }: { readonly onDone: () => void }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [fields, setFields] = useState(start);
  const [issue, setIssue] = useState<{ field: keyof Fields; issue: string } | null>(null);
  // One id for one code, so that repeating it after a lost answer doesn't make two.
  const [requestId, setRequestId] = useState(newId);
  const bind = (field: keyof Fields) => ({
    value: fields[field],
    error: issue?.field === field ? issue.issue : undefined,
    onChange: (event: { target: { value: string } }) => {
      setFields({ ...fields, [field]: event.target.value });
      setIssue(null);
      setRequestId(newId());
    },
  });

  async function act(reason: string): Promise<string | null> {
    const read = readCodeForm(fields);
    if ("issue" in read) return read.issue;
    const problem = await createCode(client, requestId, { ...read.code, reason });
    if (problem !== null) return problem;
    toast.good(codeFormStrings.made(read.code.code));
    refresh();
    onDone();
    return null;
  }

  return (
    <MoneyActionForm
      confirmLabel={codeFormStrings.confirm}
      check={() => {
        const read = readCodeForm(fields);
        setIssue("issue" in read ? read : null);
        return !("issue" in read);
      }}
      act={act}
    >
      <TextField
        label={codesViewStrings.code}
        hint={codeFormStrings.codeHint}
        autoComplete="off"
        {...bind("code")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={codeFormStrings.kind} options={kinds} {...bind("kind")} />
        <TextField
          label={codeValueLabels[fields.kind] ?? ""}
          inputMode="decimal"
          {...bind("value")}
        />
        {fields.kind === "trial" ? null : (
          <SelectField label={codeFormStrings.duration} options={durations} {...bind("duration")} />
        )}
        {fields.kind === "trial" ? null : (
          <SelectField
            label={codesViewStrings.audience}
            options={audiences}
            {...bind("audience")}
          />
        )}
        {fields.kind !== "trial" && fields.duration === "repeating" ? (
          <TextField label={codeFormStrings.months} inputMode="numeric" {...bind("months")} />
        ) : null}
        <SelectField
          label={moneyFields.plan}
          options={plans}
          placeholder={codesViewStrings.bothPlans}
          {...bind("plan")}
        />
        <TextField label={codeFormStrings.lastDay} type="date" {...bind("expires")} />
        <TextField label={codeFormStrings.uses} inputMode="numeric" {...bind("max")} />
      </div>
    </MoneyActionForm>
  );
}
