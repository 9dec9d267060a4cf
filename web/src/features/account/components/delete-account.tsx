import { useState, type FormEvent } from "react";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { PasswordField } from "@/ui/password-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { deleteAccount } from "../api/delete-account.ts";

/** Deletes the account after asking for its password; there is no way back. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete your account?"
        description="Your membership ends at once and is not refunded for the rest of the month. Your profile, messages, submissions, progress and documents are deleted. You can't undo this."
      >
        <DeletionForm onKeep={() => setAsking(false)} />
      </Dialog>
    </div>
  );
}

function DeletionForm({ onKeep }: { readonly onKeep: () => void }) {
  const { client } = useBackend();
  const { signOut } = useSession();
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || password === "") return;
    setBusy(true);
    const message = await deleteAccount(client, password);
    setProblem(message);
    setBusy(false);
    if (message !== null) return;
    toast.good("Your account has been deleted.");
    await signOut();
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button type="button" variant="secondary" disabled={busy} onClick={onKeep}>
          Keep my account
        </Button>
        <Button type="submit" variant="danger" loading={busy} disabled={password === ""}>
          Delete account
        </Button>
      </div>
    </form>
  );
}
