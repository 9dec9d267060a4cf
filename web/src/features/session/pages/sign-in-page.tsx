import { useLocation, useNavigate } from "react-router";
import { asksForCardForm, chosenCourseIn, withChoiceIn } from "@/domain/chosen-plan.ts";
import { cardFormPath, courseCheckoutPath, paths } from "@/domain/paths.ts";
import { useState } from "react";
import { refusalText } from "@/lib/refusal.ts";
import { AuthRedirectAlert } from "../components/auth-redirect-alert.tsx";
import { AuthPage } from "../components/auth-page.tsx";
import { StorageAlert } from "../components/storage-alert.tsx";
import { CredentialsForm } from "../components/credentials-form.tsx";
import { OptionalProviderChoice } from "../components/provider-choice.tsx";
import { isCodeRequired } from "../api/is-code-required.ts";
import { SecondFactorStep } from "../components/second-factor-step.tsx";
import { authPageStrings, sessionStrings, signInStrings } from "../strings.ts";
import { signIn, type SignInRefusal } from "../api/sign-in.ts";
import { useSession } from "../session-provider.tsx";
import { useBackend } from "@/lib/backend.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";

/** The address carried over from sign-up, when it turned out to be taken. */
function emailFrom(state: unknown): string {
  const email = (state as { email?: unknown } | null)?.email;
  return typeof email === "string" ? email : "";
}

/** `/signin`: for members. */
export function SignInPage() {
  const { client } = useBackend();
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const initialEmail = emailFrom(state);
  const course = chosenCourseIn(search);
  const { pending } = useSession();
  const [asksForCode, setAsksForCode] = useState(false);
  if (pending !== null && !asksForCode) setAsksForCode(true);

  async function enter() {
    toast.good(sessionStrings.signInDone);
    if (asksForCardForm(search)) {
      await navigate(cardFormPath);
      return;
    }
    await navigate(
      course === null ? withChoiceIn(search, paths.studentDashboard) : courseCheckoutPath(course),
    );
  }

  async function submit(email: string, password: string) {
    const refusal = await signIn(client, email, password);
    if (refusal !== null) return signInText(refusal);
    await goOn();
    return null;
  }

  async function goOn() {
    if (!(await isCodeRequired(client))) await enter();
  }

  if (asksForCode) {
    return <SecondFactorStep onDone={() => void enter()} onCancel={() => setAsksForCode(false)} />;
  }

  return (
    <AuthPage
      title={signInStrings.title}
      intro={signInStrings.intro}
      footer={
        <>
          <p>
            <TextLink to={paths.resetPassword}>{signInStrings.forgotten}</TextLink>
          </p>
          <p>
            {signInStrings.newHere}
            <TextLink to={withChoiceIn(search, paths.signUp)}>{signInStrings.signUp}</TextLink>
          </p>
          <p>
            <TextLink to={withChoiceIn(search, paths.auth)}>{authPageStrings.back}</TextLink>
          </p>
        </>
      }
    >
      <AuthRedirectAlert />
      <StorageAlert />
      <CredentialsForm
        emailLabel={authPageStrings.email}
        submitLabel={signInStrings.submit}
        initialEmail={initialEmail}
        onSubmit={submit}
      />
      <OptionalProviderChoice withPasskey onSignedIn={() => void goOn()} />
    </AuthPage>
  );
}

function signInText(refusal: SignInRefusal): string {
  return "advice" in refusal
    ? `${refusal.advice} ${sessionStrings.signInByLink}`
    : refusalText(refusal, sessionStrings);
}
