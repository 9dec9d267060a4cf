import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PasswordField } from "@/ui/password-field.tsx";
import { updatePassword } from "../api/recover-password.ts";
import { authPageStrings, sessionStrings, updatePasswordStrings } from "../strings.ts";
import {
  newPasswordFields,
  passwordsMatch,
  passwordAcceptedByServer,
} from "./new-password-checks.ts";
import { emptyPassword, useNewPasswordRating } from "../model/new-password.ts";
import { useSession } from "../session-provider.tsx";
import { explainOnEnter, NewPasswordFields } from "./new-password-fields.tsx";
import { passwordErrorText } from "./password-error-text.ts";

/** The form's rules for the account of an address, with or without the password until now. */
function schemaFor(email: string, asksForCurrent: boolean) {
  const current = asksForCurrent
    ? z.string().check(z.minLength(1, sessionStrings.currentPasswordMissing))
    : z.string();
  return z.object({ current, ...newPasswordFields }).check(
    passwordsMatch,
    passwordAcceptedByServer(() => email),
  );
}

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
  const { user } = useSession();
  const email = user?.email ?? "";
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    defaultValues: { current: "", ...emptyPassword },
    mode: "onTouched",
    resolver: zodResolver(schemaFor(email, currentLabel !== null)),
  });
  const { register, control, handleSubmit, reset, setError, formState } = form;
  const [password, confirmation] = useWatch({ control, name: ["password", "confirmation"] });
  const rating = useNewPasswordRating(password, email);
  const usable = rating.acceptable && password === confirmation;

  /** What came of the last attempt is over with the next, also when its fields are not right yet. */
  const clearProblem = () => setProblem(null);
  const submit = handleSubmit(async (fields) => {
    const known = currentLabel === null ? null : fields.current;
    setProblem(null);
    const error = await updatePassword(client, fields.password, known);
    if (error === null) {
      reset();
      onDone();
      return;
    }
    const { field } = error;
    const message = passwordErrorText(error);
    // After a recovery link there is no field for the current password.
    if (field === null || (field === "current" && known === null)) setProblem(message);
    else setError(field, { message }, { shouldFocus: true });
  }, clearProblem);

  const explain = explainOnEnter(usable, () => void submit());

  return (
    <FormProvider {...form}>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
        {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
        {currentLabel === null ? null : (
          <PasswordField
            label={currentLabel}
            autoComplete="current-password"
            required
            onKeyDown={explain}
            error={formState.isSubmitted ? formState.errors.current?.message : undefined}
            {...register("current")}
          />
        )}
        <NewPasswordFields
          label={currentLabel === null ? authPageStrings.password : authPageStrings.newPassword}
          rating={rating}
          onKeyDown={explain}
        />
        <Button type="submit" size="lg" wide loading={formState.isSubmitting} disabled={!usable}>
          {user?.hasPassword === false ? updatePasswordStrings.first : updatePasswordStrings.submit}
        </Button>
      </form>
    </FormProvider>
  );
}
