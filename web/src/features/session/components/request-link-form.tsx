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
import { requestPasswordLink } from "../api/recover-password.ts";
import { emailField } from "./email-address.ts";
import { authPageStrings, resetPasswordStrings, sessionStrings } from "../strings.ts";

const schema = z.object({ email: emailField });

/** Asks where to send the link. The answer is the same whether the account exists or not. */
export function RequestLinkForm({ onSent }: { readonly onSent: (email: string) => void }) {
  const { client } = useBackend();
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: "" },
    resolver: zodResolver(schema),
  });

  /** What came of the last attempt is over with the next, also when its fields are not right yet. */
  const clearProblem = () => setProblem(null);
  const submit = handleSubmit(async ({ email }) => {
    setProblem(null);
    const address = email.trim();
    const target = window.location.origin + paths.updatePassword;
    const refusal = await requestPasswordLink(client, address, target);
    if (refusal === null) onSent(address);
    else setProblem(refusalText(refusal, sessionStrings));
  }, clearProblem);

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <TextField
        label={authPageStrings.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        error={formState.errors.email?.message}
        {...register("email")}
      />
      <Button type="submit" size="lg" wide loading={formState.isSubmitting}>
        {resetPasswordStrings.submit}
      </Button>
    </form>
  );
}
