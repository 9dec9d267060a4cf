import { zodResolver } from "@hookform/resolvers/zod";
import { lazy, Suspense, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { PasswordField } from "@/ui/password-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { deleteAccount } from "../api/delete-account.ts";
import { deleteAccountStrings } from "../strings/deletion.ts";

const DeletionNotes = lazy(() => import("./deletion-notes.tsx"));
const DeletionWithoutPassword = lazy(() => import("./deletion-without-password.tsx"));

const schema = z.object({ password: z.string().check(z.minLength(1)) });

/** Deletes the account after asking for its password, or for another sign-in; there is no way back. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  const { user } = useSession();
  return (
    <div>
      <Button variant="danger" onClick={() => setAsking(true)}>
        {deleteAccountStrings.start}
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={deleteAccountStrings.title}
        description={deleteAccountStrings.text}
      >
        <Suspense>
          <DeletionNotes />
        </Suspense>
        {user?.hasPassword === false ? (
          <Suspense>
            <DeletionWithoutPassword onKeep={() => setAsking(false)} />
          </Suspense>
        ) : (
          <DeletionForm onKeep={() => setAsking(false)} />
        )}
      </Dialog>
    </div>
  );
}

function DeletionForm({ onKeep }: { readonly onKeep: () => void }) {
  const { client } = useBackend();
  const { signOut } = useSession();
  const { register, handleSubmit, formState, setError, control } = useForm({
    defaultValues: { password: "" },
    resolver: zodResolver(schema),
  });
  const { errors, isSubmitting } = formState;
  const isEmpty = useWatch({ control, name: "password" }) === "";

  const submit = handleSubmit(async ({ password }) => {
    const refusal = await deleteAccount(client, password);
    if (refusal !== null) {
      setError("root", { message: refusalText(refusal, deleteAccountStrings) });
      return;
    }
    toast.good(deleteAccountStrings.done);
    await signOut();
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {errors.root ? <Alert tone="danger">{errors.root.message}</Alert> : null}
      <PasswordField
        label={deleteAccountStrings.password}
        autoComplete="current-password"
        required
        {...register("password")}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button type="button" variant="secondary" disabled={isSubmitting} onClick={onKeep}>
          {deleteAccountStrings.keep}
        </Button>
        <Button type="submit" variant="danger" loading={isSubmitting} disabled={isEmpty}>
          {deleteAccountStrings.confirm}
        </Button>
      </div>
    </form>
  );
}
