import { useState } from "react";
import { useLocation } from "react-router";
import { chosenCourseIn, withChoiceIn } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { StorageAlert } from "../components/storage-alert.tsx";
import { OptionalProviderChoice } from "../components/provider-choice.tsx";
import { ResendConfirmation } from "../components/resend-confirmation.tsx";
import { SignUpForm } from "../components/sign-up-form.tsx";
import { authPageStrings, confirmEmailStrings, signUpStrings } from "../strings.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** `/signup`: an account in three fields. */
export function SignUpPage() {
  const { search } = useLocation();
  const [confirming, setConfirming] = useState<string | null>(null);
  if (confirming !== null) {
    return (
      <AuthPage
        title={confirmEmailStrings.title}
        intro={confirmEmailStrings.intro}
        footer={
          <TextLink to={withChoiceIn(search, paths.signIn)}>{confirmEmailStrings.signIn}</TextLink>
        }
      >
        <Alert tone="info" title={confirmEmailStrings.sentTitle}>
          {confirmEmailStrings.sentBefore}
          <strong>{confirming}</strong>
          {confirmEmailStrings.sentAfter}
        </Alert>
        <ResendConfirmation email={confirming} />
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title={signUpStrings.title}
      intro={signUpStrings.intro(chosenCourseIn(search) !== null)}
      footer={
        <>
          <p>
            {signUpStrings.member}
            <TextLink to={withChoiceIn(search, paths.signIn)}>{signUpStrings.signIn}</TextLink>
          </p>
          <p>
            <TextLink to={withChoiceIn(search, paths.auth)}>{authPageStrings.back}</TextLink>
          </p>
        </>
      }
    >
      <StorageAlert />
      <SignUpForm onConfirm={setConfirming} />
      <OptionalProviderChoice />
    </AuthPage>
  );
}
