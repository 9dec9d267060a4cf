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
  commonReasons = null,
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
  /** To choose from: the one that is chosen is written into the field, where more can be added. */
  readonly commonReasons?: readonly string[] | null;
  /** False when a field is not filled in; it says so itself. */
  readonly check?: () => boolean;
  /** Returns the problem, or null when it is done. An empty text is a lost answer. */
  readonly act: (reason: string) => Promise<string | null>;
}) {
  const [reason, setReason] = useState("");
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { codeFields, isCodeComplete, proveCode } = useFreshCode(asksCode);

  function writeReason(text: string) {
    setReason(text);
    setIssue(undefined);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (busy) return;
    const isFilledIn = check?.() !== false;
    const isReasonMissing = reasonField !== null && reason.trim() === "";
    if (isReasonMissing) setIssue(reasonField.missing);
    const hasCode = await isCodeComplete();
    if (!isFilledIn || !hasCode || isReasonMissing) {
      // All of them say what they miss; the code, which is asked last, would have the focus.
      form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    const found = (await proveCode()) ?? (await act(reason.trim()).catch(() => ""));
    setBusy(false);
    setProblem(found === "" ? actionUnclear : found);
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {children}
      {commonReasons === null ? null : (
        <SelectField
          label={moneyActionStrings.commonReasons}
          placeholder={moneyActionStrings.chooseReason}
          value={commonReasons.find((each) => each === reason) ?? ""}
          options={commonReasons.map((each) => ({ value: each, label: each }))}
          onChange={(event) => writeReason(event.target.value)}
        />
      )}
      {reasonField === null ? null : (
        <TextArea
          label={reasonField.label}
          hint={reasonField.hint}
          rows={2}
          maxLength={reasonField.maxLength}
          value={reason}
          error={issue}
          onChange={(event) => writeReason(event.target.value)}
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
