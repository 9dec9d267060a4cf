import { useState, type FormEvent, type ReactNode } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { actionUnclear, moneyActionStrings } from "../strings/actions.ts";
import { moneyFields } from "../strings/fields.ts";
import { useFreshCode } from "./fresh-code.tsx";

interface ReasonField {
  readonly label: string;
  readonly hint: string;
  readonly missing: string;
  readonly maxLength: number;
}

/** What stands for none of the listed reasons in the list. */
const other = "other";

/** The reason as it is recorded: the chosen one, and after it what was written. */
function recordedReason(chosen: string, written: string): string {
  return chosen === "" || chosen === other
    ? written
    : [chosen, written].filter((part) => part !== "").join(": ");
}

const defaultReason: ReasonField = {
  label: moneyFields.reason,
  hint: moneyActionStrings.reasonHint,
  missing: moneyActionStrings.reasonMissing,
  maxLength: 500,
};

/** The end of every act: a reason for the audit log, what went wrong, and the button that does it. */
export function MoneyActionForm({
  children,
  confirmLabel,
  danger = false,
  disabled = false,
  asksCode = false,
  reasonField = defaultReason,
  reasons = null,
  check,
  act,
}: {
  /** Fields before the reason. */
  readonly children?: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Asks for a code of the second factor as well. */
  readonly asksCode?: boolean;
  /** What is recorded with the act, where that is not a reason; null when nothing is. */
  readonly reasonField?: ReasonField | null;
  /** The usual reasons, to choose from; the text field then takes what is to be added, or another reason. */
  readonly reasons?: readonly string[] | null;
  /** False when a field is not filled in; it says so itself. */
  readonly check?: () => boolean;
  /** Returns the problem, or null when it is done. An empty text is a lost answer. */
  readonly act: (reason: string) => Promise<string | null>;
}) {
  const [chosen, setChosen] = useState("");
  const [isUnchosen, setUnchosen] = useState(false);
  const [written, setWritten] = useState("");
  const reason = recordedReason(chosen, written.trim());
  // The whole of it has to fit.
  const maxLength =
    (reasonField?.maxLength ?? 0) - (reasons?.includes(chosen) ? chosen.length + 2 : 0);
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { codeFields, isCodeComplete, proveCode } = useFreshCode(asksCode);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const isFilledIn = check?.() !== false;
    const isReasonUnchosen = reasons !== null && chosen === "";
    setUnchosen(isReasonUnchosen);
    const isReasonMissing = reasonField !== null && (isReasonUnchosen || reason === "");
    if (isReasonMissing && !isReasonUnchosen) setIssue(reasonField.missing);
    const hasCode = await isCodeComplete();
    if (!isFilledIn || !hasCode || isReasonMissing) return;
    setBusy(true);
    setProblem(null);
    const found = (await proveCode()) ?? (await act(reason).catch(() => ""));
    setBusy(false);
    setProblem(found === "" ? actionUnclear : found);
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {children}
      {reasonField === null || reasons === null ? null : (
        <SelectField
          label={reasonField.label}
          placeholder={moneyActionStrings.chooseReason}
          options={[
            ...reasons.map((each) => ({ value: each, label: each })),
            { value: other, label: moneyActionStrings.otherReason },
          ]}
          value={chosen}
          error={isUnchosen ? moneyActionStrings.reasonUnchosen : undefined}
          onChange={(event) => {
            setChosen(event.target.value);
            setUnchosen(false);
            setIssue(undefined);
          }}
        />
      )}
      {reasonField === null ? null : (
        <TextArea
          label={reasons === null ? reasonField.label : moneyActionStrings.details}
          hint={reasonField.hint}
          rows={2}
          maxLength={maxLength}
          value={written}
          error={issue}
          onChange={(event) => {
            setWritten(event.target.value);
            setIssue(undefined);
          }}
        />
      )}
      {codeFields}
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <Button
        type="submit"
        variant={danger ? "danger" : "primary"}
        className="justify-self-start"
        loading={busy}
        disabled={disabled}
      >
        {confirmLabel}
      </Button>
    </form>
  );
}
