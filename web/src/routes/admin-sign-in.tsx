import { useState } from "react";
import { useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import {
  adminSignIn,
  AuthPage,
  checkAdmin,
  CredentialsForm,
  isCodeDue,
  SecondFactorPage,
  sessionMessages,
  useSession,
} from "@/features/session/public.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";

/** `/adminlogin`: for those who run the place. */
export default function AdminSignInPage() {
  const { client } = useBackend();
  const navigate = useNavigate();
  const { pending } = useSession();
  const [asksForCode, setAsksForCode] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  if (pending !== null && !asksForCode) setAsksForCode(true);

  async function enter() {
    toast.good(sessionMessages.adminDone);
    await navigate(paths.adminDashboard);
  }

  async function submit(email: string, password: string) {
    const problem = await adminSignIn(client, email, password);
    setRefusal(null);
    if (problem !== null) return problem;
    if (!(await isCodeDue(client))) await enter();
    return null;
  }

  async function enterAfterCode() {
    const problem = await checkAdmin(client);
    setRefusal(problem);
    if (problem === null) await enter();
    else setAsksForCode(false);
  }

  if (asksForCode) {
    return (
      <SecondFactorPage
        onDone={() => void enterAfterCode()}
        onCancel={() => setAsksForCode(false)}
      />
    );
  }

  return (
    <AuthPage
      title="Admin Login"
      intro="For the people who run this place."
      footer={
        <p>
          Not an administrator? <TextLink to={paths.signIn}>Sign in as a member</TextLink>
        </p>
      }
    >
      {refusal === null ? null : <Alert tone="danger">{refusal}</Alert>}
      <CredentialsForm emailLabel="Admin email" submitLabel="Sign in" onSubmit={submit} />
    </AuthPage>
  );
}
