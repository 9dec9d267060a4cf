import { useState, type FormEvent } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { updatePassword } from "../api/recover-password.ts";
import { explainOnEnter, isUsable, NewPasswordFields } from "./new-password-fields.tsx";

const emptyPassword = { password: "", confirmation: "" };

/** Sets a new password for whoever is signed in. */
export function UpdatePasswordForm({ onDone }: { readonly onDone: () => void }) {
  const { client } = useBackend();
  const [newPassword, setNewPassword] = useState(emptyPassword);
  const [attempted, setAttempted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const usable = isUsable(newPassword);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setAttempted(true);
    if (!usable || busy) return;
    setBusy(true);
    const fault = await updatePassword(client, newPassword.password);
    setProblem(fault);
    setBusy(false);
    if (fault !== null) return;
    setNewPassword(emptyPassword);
    setAttempted(false);
    onDone();
  }

  const explain = explainOnEnter(usable, () => setAttempted(true));

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <NewPasswordFields
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
