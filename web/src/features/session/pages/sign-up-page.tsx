import { useState } from "react";
import { useLocation } from "react-router";
import { chosenCourseIn, withChoiceIn } from "@/domain/chosen-plan.ts";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { ResendConfirmation } from "../components/resend-confirmation.tsx";
import { SignUpForm } from "../components/sign-up-form.tsx";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** `/signup`: an account in three fields. */
export function SignUpPage() {
  const { search } = useLocation();
  const [confirming, setConfirming] = useState<string | null>(null);
  if (confirming !== null) {
    return (
      <AuthPage
        title="Check your inbox"
        intro="One more step before your account is ready."
        footer={
          <TextLink to={withChoiceIn(search, paths.signIn)}>
            I've confirmed my email, sign in
          </TextLink>
        }
      >
        <Alert tone="info" title="We sent you a link">
          Follow the link we sent to <strong>{confirming}</strong>. In this browser it takes you
          straight on; on another device it confirms your address, and you sign in here. Nothing
          there? Look in the spam folder, send it again, or sign up again with another address.
        </Alert>
        <ResendConfirmation email={confirming} />
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="Create your account"
      intro={
        chosenCourseIn(search) === null
          ? "Next you choose a plan. Nothing is charged on this page."
          : "You read the course with this account. Next you pay for it; nothing is charged on this page."
      }
      footer={
        <>
          <p>
            Already a member? <TextLink to={withChoiceIn(search, paths.signIn)}>Sign in</TextLink>
          </p>
          <p>
            <TextLink to={withChoiceIn(search, paths.auth)}>BACK</TextLink>
          </p>
        </>
      }
    >
      <SignUpForm onConfirm={setConfirming} />
    </AuthPage>
  );
}
