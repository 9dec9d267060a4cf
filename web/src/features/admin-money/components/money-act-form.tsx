import { useState, type FormEvent, type ReactNode } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextArea } from "@/ui/text-field.tsx";
import { useFreshCode } from "./fresh-code.tsx";

const unclear = "We couldn't reach the server. Check your connection and try again.";

/** The end of every act: a reason for the audit log, what went wrong, and the button that does it. */
export function MoneyActForm({
  children,
  confirmLabel,
  danger = false,
  disabled = false,
  asksCode = false,
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

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const isFilledIn = check?.() !== false;
    if (reason.trim() === "") setIssue("Say why. It is recorded with your name.");
    const hasCode = await isCodeComplete();
    if (!isFilledIn || !hasCode || reason.trim() === "") return;
    setBusy(true);
    setProblem(null);
    const found = (await proveCode()) ?? (await act(reason.trim()).catch(() => ""));
    setBusy(false);
    setProblem(found === "" ? unclear : found);
  }

  return (
    <form className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      {children}
      <TextArea
        label="Reason"
        hint="For the audit log. The member doesn't read it."
        rows={2}
        maxLength={500}
        value={reason}
        error={issue}
        onChange={(event) => {
          setReason(event.target.value);
          setIssue(undefined);
        }}
      />
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
