import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { newId } from "@/lib/uuid.ts";
import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { createCode, type NewCode } from "../api/codes.ts";
import { planNames } from "../model/code.ts";
import { parsePounds } from "../model/payment.ts";
import { useRefreshMoney } from "../queries.ts";
import { MoneyActForm } from "./money-act-form.tsx";

const kinds = [
  { value: "percent", label: "Percentage off" },
  { value: "amount", label: "Amount off" },
  { value: "trial", label: "Free days" },
];
const durations = [
  { value: "once", label: "First payment" },
  { value: "repeating", label: "Some months" },
  { value: "forever", label: "Every payment" },
];
const audiences = [
  { value: "new", label: "New members only" },
  { value: "all", label: "Everyone" },
];
const plans = Object.entries(planNames).map(([value, label]) => ({ value, label }));
const valueLabels: Readonly<Record<string, string>> = {
  percent: "Per cent off",
  amount: "Pounds off",
  trial: "Days free",
};

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
    return { field: "code", issue: "Use 3 to 40 letters, digits or hyphens." };
  }
  const kind = fields.kind as NewCode["kind"];
  const value =
    kind === "amount"
      ? parsePounds(fields.value)
      : wholeNumber(fields.value, kind === "trial" ? 365 : 100);
  if (value === null || value === 0) {
    const limits = { percent: "1 to 100", amount: "a sum such as 12.50", trial: "1 to 365" };
    return { field: "value", issue: `Enter ${limits[kind]}.` };
  }
  const months = wholeNumber(fields.months, 36);
  if (kind !== "trial" && fields.duration === "repeating" && months === null) {
    return { field: "months", issue: "Enter 1 to 36." };
  }
  // The whole last day counts.
  const expiresAt = fields.expires === "" ? null : Date.parse(`${fields.expires}T23:59:59Z`);
  if (expiresAt !== null && !(expiresAt > Date.now())) {
    return { field: "expires", issue: "Choose a day in the future." };
  }
  const maxRedemptions = wholeNumber(fields.max, 1_000_000);
  if (fields.max.trim() !== "" && maxRedemptions === null) {
    return { field: "max", issue: "Enter a whole number, or leave it empty." };
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
    toast.good(`${read.code.code} is ready to use.`);
    refresh();
    onDone();
    return null;
  }

  return (
    <MoneyActForm
      confirmLabel="Make code"
      check={() => {
        const read = readCodeForm(fields);
        setIssue("issue" in read ? read : null);
        return !("issue" in read);
      }}
      act={act}
    >
      <TextField
        label="Code"
        hint="What members type, such as SPRING-25."
        autoComplete="off"
        {...bind("code")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Kind" options={kinds} {...bind("kind")} />
        <TextField label={valueLabels[fields.kind] ?? ""} inputMode="decimal" {...bind("value")} />
        {fields.kind === "trial" ? null : (
          <SelectField label="Applies to" options={durations} {...bind("duration")} />
        )}
        {fields.kind === "trial" ? null : (
          <SelectField label="For" options={audiences} {...bind("audience")} />
        )}
        {fields.kind !== "trial" && fields.duration === "repeating" ? (
          <TextField label="Months" inputMode="numeric" {...bind("months")} />
        ) : null}
        <SelectField label="Plan" options={plans} placeholder="Both plans" {...bind("plan")} />
        <TextField label="Last day" type="date" {...bind("expires")} />
        <TextField label="Uses at most" inputMode="numeric" {...bind("max")} />
      </div>
    </MoneyActForm>
  );
}
