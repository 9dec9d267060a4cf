import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { refusalText } from "@/lib/refusal.ts";
import { changeEmail, type EmailChange } from "../api/change-email.ts";
import { emailField } from "./email-address.ts";
import { changeEmailStrings, sessionStrings } from "../strings.ts";

const schema = z.object({ email: emailField });

/** Changes the e-mail address, at once or after a link was followed, as the backend wants it. */
export function ChangeEmailForm({ current }: { readonly current: string }) {
  const { client } = useBackend();
  const [change, setChange] = useState<(EmailChange & { readonly email: string }) | null>(null);
  const { register, handleSubmit, formState, reset, setError } = useForm({
    defaultValues: { email: "" },
    resolver: zodResolver(schema),
  });

  const submit = handleSubmit(async ({ email }) => {
    const address = email.trim();
    if (address.toLowerCase() === current.toLowerCase()) {
      setChange(null);
      setError("email", { message: changeEmailStrings.same }, { shouldFocus: true });
      return;
    }
    const result = await changeEmail(client, address, window.location.origin + paths.account);
    setChange({ ...result, email: address });
    if (result.kind !== "failed") reset();
  });

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      {change?.kind === "failed" ? (
        <Alert tone="danger">{refusalText(change, sessionStrings)}</Alert>
      ) : null}
      {change?.kind === "changed" ? (
        <Alert tone="good">{changeEmailStrings.changed(change.email)}</Alert>
      ) : null}
      {change?.kind === "confirm" ? (
        <Alert tone="info" title={changeEmailStrings.confirmTitle}>
          {changeEmailStrings.confirm(change.email, current)}
        </Alert>
      ) : null}
      <TextField
        label={changeEmailStrings.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        error={formState.errors.email?.message}
        {...register("email")}
      />
      <div>
        <Button type="submit" variant="secondary" loading={formState.isSubmitting}>
          {changeEmailStrings.submit}
        </Button>
      </div>
    </form>
  );
}
