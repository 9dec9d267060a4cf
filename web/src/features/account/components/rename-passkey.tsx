import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { renamePasskey, type Passkey } from "../api/passkeys.ts";
import { explainPasskeyError, passkeyStrings } from "../strings/passkeys.ts";

const maxNameLength = 60;
const schema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, passkeyStrings.nameMissing),
      z.maxLength(maxNameLength, passkeyStrings.nameTooLong(maxNameLength)),
    ),
});

/** Asks for another name of a passkey; closed while there is none. */
export function RenamePasskey({
  passkey,
  onClose,
}: {
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open={passkey !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={passkeyStrings.renameTitle}
      description={passkeyStrings.renameText}
    >
      {passkey === null ? null : <NameForm passkey={passkey} onClose={onClose} />}
    </Dialog>
  );
}

function NameForm({
  passkey,
  onClose,
}: {
  readonly passkey: Passkey;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { name: passkey.name },
    resolver: zodResolver(schema),
  });
  const submit = handleSubmit(async ({ name }) => {
    try {
      await renamePasskey(client, passkey.id, name);
      onClose();
    } catch (error) {
      setError("name", { message: explainPasskeyError(error) });
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      <TextField
        label={passkeyStrings.name}
        required
        error={formState.errors.name?.message}
        {...register("name")}
      />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={onClose}>
          {passkeyStrings.cancel}
        </Button>
        <Button type="submit" loading={formState.isSubmitting}>
          {passkeyStrings.saveName}
        </Button>
      </div>
    </form>
  );
}
