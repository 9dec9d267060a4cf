import { useState, type FormEvent } from "react";
import { CodeField, verifyCode, isCompleteCode } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { enrollFactor, FactorError, type NewFactor } from "../api/second-factor.ts";

/** Names a device, shows its QR code and confirms it with the first code. */
export function SetUpSecondFactor({
  onDone,
  onCancel,
}: {
  readonly onDone: () => void;
  readonly onCancel: () => void;
}) {
  const { client } = useBackend();
  const [name, setName] = useState("");
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function begin() {
    setBusy(true);
    setProblem(null);
    try {
      setFactor(await enrollFactor(client, name.trim()));
    } catch (error) {
      setProblem(error instanceof FactorError ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  async function confirm(digits: string) {
    if (factor === null || busy) return;
    setBusy(true);
    const message = await verifyCode(client, factor.id, digits);
    setBusy(false);
    setProblem(message);
    if (message === null) onDone();
    else setCode("");
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (factor === null) void begin();
    else if (isCompleteCode(code)) void confirm(code);
    else setProblem("Enter all six digits of the code.");
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {factor === null ? (
        <TextField
          label="Name of the device"
          hint="To help you recognise it later, such as “My phone”."
          value={name}
          maxLength={60}
          required
          onChange={(event) => setName(event.target.value)}
        />
      ) : (
        <>
          <div className="grid gap-3">
            <p className="text-sm">
              1. Scan this with an authenticator app, such as Google Authenticator, 1Password or
              Aegis.
            </p>
            {/* White around it in dark mode, too: cameras need the contrast. */}
            <img
              src={factor.qrCode}
              alt="QR code for your authenticator app"
              className="size-48 rounded-control border border-line bg-white p-2"
            />
            <p className="text-sm text-muted">
              Can't scan it? Type this key into the app:
              <span className="tabular mt-1 block font-mono wrap-anywhere text-ink select-all">
                {factor.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
              </span>
            </p>
          </div>
          <CodeField
            label="2. Enter the code it shows"
            value={code}
            onChange={setCode}
            onComplete={(digits) => void confirm(digits)}
          />
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={busy} disabled={factor === null && name.trim() === ""}>
          {factor === null ? "Continue" : "Confirm"}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
