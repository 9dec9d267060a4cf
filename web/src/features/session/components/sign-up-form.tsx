import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useLocation, useNavigate } from "react-router";
import * as z from "zod/mini";
import { chosenCourseIn, chosenPlanIn, withChoiceIn } from "@/domain/chosen-plan.ts";
import { courseCheckoutPath, paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { systemClock, waitFor } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { TextField } from "@/ui/text-field.tsx";
import { toast } from "@/ui/toast.tsx";
import { createStripeCustomer } from "../api/create-stripe-customer.ts";
import { insertProfile } from "../api/insert-profile.ts";
import { getSessionUserId } from "../api/read-session-user.ts";
import { requestSignUp } from "../api/request-sign-up.ts";
import { authPageStrings, sessionStrings, signUpStrings } from "../strings.ts";
import { rememberAskedLink } from "../model/asked-links.ts";
import { emailField } from "./email-address.ts";
import {
  newPasswordFields,
  passwordsMatch,
  passwordAcceptedByServer,
} from "./new-password-checks.ts";
import { emptyPassword, useNewPasswordRating } from "../model/new-password.ts";
import { signUpWithProfile, type SignUpOutcome } from "../model/sign-up-with-profile.ts";
import { explainOnEnter, NewPasswordFields } from "./new-password-fields.tsx";
import { passwordErrorText } from "./password-error-text.ts";

/** How long the message about a taken address stays before the way to sign-in. Milliseconds. */
const duplicateRedirectMs = 2000;

const schema = z.object({ email: emailField, ...newPasswordFields }).check(
  passwordsMatch,
  passwordAcceptedByServer(({ email }) => email),
);

/** Creates an account and leads on to the plans, or to the course that is to be bought. `onConfirm` is called when an e-mail must be answered first. */
export function SignUpForm({ onConfirm }: { readonly onConfirm: (email: string) => void }) {
  const { client } = useBackend();
  const navigate = useNavigate();
  const { search } = useLocation();
  const course = chosenCourseIn(search);
  const next = course === null ? withChoiceIn(search, paths.paywall) : courseCheckoutPath(course);
  const confirmUrl = course === null ? paths.onboarding : next;
  // In this browser the link also knows the plan.
  const afterConfirmation = course === null ? withChoiceIn(search, paths.onboarding) : next;
  const [outcome, setOutcome] = useState<SignUpOutcome | null>(null);
  const form = useForm({
    defaultValues: { email: "", ...emptyPassword },
    mode: "onTouched",
    resolver: zodResolver(schema),
  });
  const { register, control, handleSubmit, reset, setError, formState } = form;
  const [email, password, confirmation] = useWatch({
    control,
    name: ["email", "password", "confirmation"],
  });
  const rating = useNewPasswordRating(password, email);
  const usable = rating.acceptable && password === confirmation;

  const submit = handleSubmit(async (fields) => {
    setOutcome(null);
    const email = fields.email.trim();
    const result = await signUpWithProfile(
      {
        requestSignUp: (address, secret) =>
          requestSignUp(client, address, secret, {
            confirmUrl: window.location.origin + confirmUrl,
            plan: chosenPlanIn(search),
          }),
        getSessionUserId: () => getSessionUserId(client),
        insertProfile: (userId) => insertProfile(client, userId),
      },
      systemClock,
      email,
      fields.password,
    );
    setOutcome(result);
    await follow(result, email);
  });

  async function follow(result: SignUpOutcome, email: string): Promise<void> {
    switch (result.kind) {
      case "created":
        toast.good(sessionStrings.signUpDone);
        await createStripeCustomer(client);
        reset();
        await navigate(next);
        return;
      case "already-registered":
        await waitFor(systemClock, duplicateRedirectMs);
        await navigate(withChoiceIn(search, paths.signIn), { state: { email } });
        return;
      case "confirm-email":
        rememberAskedLink(
          () => browserStorage,
          { email, next: afterConfirmation },
          systemClock.now(),
        );
        onConfirm(email);
        return;
      case "failed":
        if (result.field !== "password") return;
        setError("password", { message: passwordErrorText(result) }, { shouldFocus: true });
        return;
    }
  }

  const problem =
    (outcome?.kind === "failed" && outcome.field !== "password") ||
    outcome?.kind === "already-registered"
      ? outcome
      : null;
  const explain = explainOnEnter(usable, () => void submit());
  const { errors, dirtyFields, isSubmitted, isSubmitting } = formState;

  return (
    <FormProvider {...form}>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-5">
        {problem === null ? null : (
          <Alert tone={problem.kind === "failed" ? "danger" : "warn"}>
            {problem.kind === "failed"
              ? passwordErrorText(problem)
              : sessionStrings.alreadyRegistered}
          </Alert>
        )}
        <TextField
          label={authPageStrings.email}
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          onKeyDown={explain}
          error={isSubmitted || dirtyFields.email === true ? errors.email?.message : undefined}
          {...register("email")}
        />
        <NewPasswordFields rating={rating} onKeyDown={explain} />
        <Button type="submit" size="lg" wide loading={isSubmitting} disabled={!usable}>
          {signUpStrings.submit}
        </Button>
      </form>
    </FormProvider>
  );
}
