import { useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PasswordField } from "@/ui/password-field.tsx";
import { updatePassword } from "../api/recover-password.ts";
import { sessionStrings } from "../strings.ts";
import { explainOnEnter, isAcceptable, NewPasswordFields } from "./new-password-fields.tsx";

const emptyPassword = { password: "", confirmation: "" };

/** Sets a new password for the signed-in member. */
export function UpdatePasswordForm({
  currentLabel,
  onDone,
}: {
  /** Asks for the password until now under this label; null in a session that a recovery link began. */
  readonly currentLabel: string | null;
  readonly onDone: () => void;
}) {
  const { client } = useBackend();
  const [current, setCurrent] = useState("");
  const [newPassword, setNewPassword] = useState(emptyPassword);
  const [attempted, setAttempted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const usable = isAcceptable(newPassword);
  const currentMissing = currentLabel !== null && current === "";

  async function submit(event: FormEvent) {
    event.preventDefault();
    setAttempted(true);
    if (!usable || currentMissing || busy) return;
    setBusy(true);
    const known = currentLabel === null ? null : current;
    const message = await updatePassword(client, newPassword.password, known);
    setProblem(message);
    setBusy(false);
    if (message !== null) return;
    setCurrent("");
    setNewPassword(emptyPassword);
    setAttempted(false);
    onDone();
  }

  const explain = explainOnEnter(usable, () => setAttempted(true));

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      {currentLabel === null ? null : (
        <PasswordField
          label={currentLabel}
          name="current-password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
          onKeyDown={explain}
          error={attempted && currentMissing ? sessionStrings.currentPasswordMissing : undefined}
        />
      )}
      <NewPasswordFields
        label={currentLabel === null ? "Password" : "New password"}
        value={newPassword}
        onChange={setNewPassword}
        attempted={attempted}
        onKeyDown={explain}
      />
      <Button type="submit" size="lg" wide loading={busy} disabled={!usable}>
        Change password
      </Button>
    </form>
  );
}
