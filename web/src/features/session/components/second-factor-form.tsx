import { useEffect, useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { verifyCode, listFactors, redeemRecoveryCode } from "../api/second-factor.ts";
import { sessionStrings } from "../strings.ts";
import type { VerifiedFactor } from "../model/authenticator-assurance.ts";
import { useSession } from "../session-provider.tsx";
import { CodeField, isCompleteCode } from "./code-field.tsx";

/** Asks for the code of the second factor, or for a recovery code instead. */
export function SecondFactorForm({
  onDone,
  onCancel,
}: {
  readonly onDone: (how: "code" | "recovery") => void;
  readonly onCancel?: () => void;
}) {
  const { client } = useBackend();
  const { signOut } = useSession();
  const [factors, setFactors] = useState<readonly VerifiedFactor[]>([]);
  const [chosen, setChosen] = useState("");
  const [code, setCode] = useState("");
  const [recovering, setRecovering] = useState(false);
  const [recoveryCode, setRecoveryCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const factorId = chosen === "" ? (factors[0]?.id ?? "") : chosen;

  useEffect(() => {
    listFactors(client).then(setFactors, () => setProblem(sessionStrings.codeFailed));
  }, [client]);

  async function run(work: () => Promise<string | null>, how: "code" | "recovery") {
    if (busy) return;
    setBusy(true);
    const message = await work();
    setBusy(false);
    setProblem(message);
    if (message === null) onDone(how);
    else setCode("");
  }

  const submitCode = (digits: string) => run(() => verifyCode(client, factorId, digits), "code");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (recovering) void run(() => redeemRecoveryCode(client, recoveryCode), "recovery");
    else if (isCompleteCode(code)) void submitCode(code);
    else setProblem(sessionStrings.codeMissing);
  }

  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {recovering ? (
        <TextField
          key="recovery"
          label="Recovery code"
          hint="One of the ten codes you saved. It works once and removes your second factor, so you can set up a new one."
          value={recoveryCode}
          onChange={(event) => setRecoveryCode(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      ) : (
        <>
          {factors.length > 1 ? (
            <SelectField
              label="Device"
              options={factors.map(({ id, name }) => ({
                value: id,
                label: name || "Authenticator",
              }))}
              value={factorId}
              onChange={(event) => setChosen(event.target.value)}
            />
          ) : null}
          <CodeField
            label="Code"
            hint="The six digits your authenticator app shows for this account."
            value={code}
            onChange={setCode}
            onComplete={(digits) => void submitCode(digits)}
          />
        </>
      )}
      <Button
        type="submit"
        size="lg"
        wide
        loading={busy}
        disabled={recovering ? recoveryCode.trim() === "" : factorId === ""}
      >
        {recovering ? "Use recovery code" : "Continue"}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            setRecovering(!recovering);
            setProblem(null);
          }}
        >
          {recovering ? "Enter a code instead" : "Use a recovery code instead"}
        </Button>
        <Button
          variant="quiet"
          size="sm"
          onClick={() => {
            void signOut();
            onCancel?.();
          }}
        >
          Sign out
        </Button>
      </div>
    </form>
  );
}
