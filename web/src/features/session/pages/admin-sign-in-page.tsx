import { useState } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import { refusalText } from "@/lib/refusal.ts";
import { verifyAdmin, adminSignIn, type AdminSignIn } from "../api/admin-sign-in.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { CredentialsForm } from "../components/credentials-form.tsx";
import { SecondFactorStep } from "../components/second-factor-step.tsx";
import { adminSignInStrings, sessionStrings } from "../strings.ts";
import { useSession } from "../session-provider.tsx";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";

/** `/adminlogin`: for those who run the place. */
export function AdminSignInPage() {
  const { client } = useBackend();
  const navigate = useNavigate();
  const { pending } = useSession();
  const [asksForCode, setAsksForCode] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (pending !== null && !asksForCode) setAsksForCode(true);

  /** Goes on from what the sign-in came to. Answers with the message to show, if any. */
  async function proceed(result: AdminSignIn): Promise<string | null> {
    switch (result.kind) {
      case "failed":
        return refusalText(result, sessionStrings);
      case "choose-password":
        await navigate(paths.updatePassword);
        return null;
      case "enter-code":
        return null;
      case "first-factor":
        await navigate(paths.adminDashboard);
        return null;
      case "done":
        toast.good(sessionStrings.adminDone);
        await navigate(paths.adminDashboard);
        return null;
    }
  }

  async function submit(email: string, password: string) {
    setRefusal(null);
    return await proceed(await adminSignIn(client, email, password));
  }

  async function enterAfterCode() {
    const problem = await proceed(await verifyAdmin(client));
    setRefusal(problem);
    if (problem !== null) setAsksForCode(false);
  }

  if (asksForCode) {
    return (
      <SecondFactorStep
        onDone={() => void enterAfterCode()}
        onCancel={() => setAsksForCode(false)}
      />
    );
  }

  return (
    <AuthPage
      title={adminSignInStrings.title}
      intro={adminSignInStrings.intro}
      footer={
        <p>
          {adminSignInStrings.notAdmin}
          <TextLink to={paths.signIn}>{adminSignInStrings.signIn}</TextLink>
        </p>
      }
    >
      {refusal === null ? null : <Alert tone="danger">{refusal}</Alert>}
      <CredentialsForm
        emailLabel={adminSignInStrings.email}
        submitLabel={adminSignInStrings.submit}
        onSubmit={submit}
      />
    </AuthPage>
  );
}
