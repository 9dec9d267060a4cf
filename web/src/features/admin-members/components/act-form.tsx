import { useState, type FormEvent, type ReactNode } from "react";
import { CodeField, isCompleteCode } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import type { FactorCode } from "../api/member-acts.ts";
import { useOwnFactors } from "../queries.ts";
import { explainActError } from "../strings.ts";

const durations = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
];

/** The form opens because of a press, which leaves its button gone: the first field takes over. */
function takeFocus(field: HTMLTextAreaElement | null): void {
  field?.focus();
}

/** What the administrator has entered. */
export interface ActInput {
  readonly reason: string;
  /** Length of a suspension; null until it is lifted. */
  readonly days: number | null;
  readonly code: FactorCode;
}

export interface ActFormProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly doneText: string;
  readonly danger?: boolean;
  readonly asksDuration?: boolean;
  /** Asks for a code of the second factor as well. */
  readonly asksCode?: boolean;
  readonly reasonHint: string;
  readonly onSubmit: (input: ActInput) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for the reason of an act and says what it does, within the panel of the member. */
export function ActForm({
  title,
  children,
  confirmLabel,
  doneText,
  danger = false,
  asksDuration = false,
  asksCode = false,
  reasonHint,
  onSubmit,
  onClose,
}: ActFormProps) {
  const [reason, setReason] = useState("");
  const [days, setDays] = useState("");
  const [code, setCode] = useState("");
  const [chosenFactor, setChosenFactor] = useState("");
  const { data: factors = [] } = useOwnFactors(asksCode);
  const factorId = chosenFactor === "" ? (factors[0]?.id ?? "") : chosenFactor;
  const [reasonIssue, setReasonIssue] = useState<string | undefined>(undefined);
  const [codeIssue, setCodeIssue] = useState<string | undefined>(undefined);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const isReasonMissing = reason.trim() === "";
    const isCodeMissing = asksCode && !isCompleteCode(code);
    setReasonIssue(isReasonMissing ? "Say why. It is recorded with your name." : undefined);
    setCodeIssue(isCodeMissing ? "Enter all six digits of the code." : undefined);
    if (isReasonMissing || isCodeMissing) return;
    setBusy(true);
    try {
      await onSubmit({
        reason: reason.trim(),
        days: days === "" ? null : Number(days),
        code: { factorId, code },
      });
      toast.good(doneText);
      onClose();
    } catch (error) {
      console.error("The act was not done", error);
      setProblem(explainActError(error));
      setCode("");
      setBusy(false);
    }
  }

  return (
    <form
      aria-label={title}
      noValidate
      className="grid gap-4 rounded-card border border-line bg-sunken p-4"
      onSubmit={(event) => void submit(event)}
    >
      <h3 className="font-semibold">{title}</h3>
      <div className="grid gap-2 text-sm">{children}</div>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {asksDuration ? (
        <SelectField
          label="How long"
          options={durations}
          placeholder="Until it is lifted"
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      ) : null}
      <TextArea
        ref={takeFocus}
        label="Reason"
        hint={reasonHint}
        rows={3}
        maxLength={500}
        required
        value={reason}
        error={reasonIssue}
        onChange={(event) => {
          setReason(event.target.value);
          setReasonIssue(undefined);
        }}
      />
      {asksCode && factors.length > 1 ? (
        <SelectField
          label="Device"
          options={factors.map(({ id, name }) => ({ value: id, label: name || "Authenticator" }))}
          value={factorId}
          onChange={(event) => setChosenFactor(event.target.value)}
        />
      ) : null}
      {asksCode ? (
        <CodeField
          label="Code of your second factor"
          hint="The six digits your authenticator app shows now."
          value={code}
          error={codeIssue}
          onChange={setCode}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={danger ? "danger" : "primary"} loading={busy}>
          {confirmLabel}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onClose}>
          Keep things as they are
        </Button>
      </div>
    </form>
  );
}
