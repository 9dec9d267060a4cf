import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PasswordField } from "@/ui/password-field.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { authPageStrings, sessionStrings } from "../strings.ts";
import { emailField } from "./email-address.ts";

const schema = z.object({
  email: emailField,
  password: z.string().check(z.minLength(1, sessionStrings.passwordMissing)),
});

export interface CredentialsFormProps {
  readonly emailLabel: string;
  readonly submitLabel: string;
  readonly initialEmail?: string;
  /** Answers with the message to show, null when it worked and the page is about to change. */
  readonly onSubmit: (email: string, password: string) => Promise<string | null>;
}

/** Email and password, and what came of them. */
export function CredentialsForm({
  emailLabel,
  submitLabel,
  initialEmail = "",
  onSubmit,
}: CredentialsFormProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: initialEmail, password: "" },
    resolver: zodResolver(schema),
  });
  const { errors, isSubmitting } = formState;

  /** What came of the last attempt is over with the next, also when its fields are not right yet. */
  const clearProblem = () => setProblem(null);
  const submit = handleSubmit(async ({ email, password }) => {
    setProblem(null);
    setProblem(await onSubmit(email.trim(), password));
  }, clearProblem);

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
      <TextField
        label={emailLabel}
        type="email"
        autoComplete="username"
        inputMode="email"
        required
        error={errors.email?.message}
        {...register("email")}
      />
      <PasswordField
        label={authPageStrings.password}
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...register("password")}
      />
      <Button type="submit" size="lg" wide loading={isSubmitting}>
        {submitLabel}
      </Button>
    </form>
  );
}
