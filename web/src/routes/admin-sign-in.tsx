import { useNavigate } from "react-router";
import { paths } from "@/domain/paths.ts";
import {
  adminSignIn,
  AuthPage,
  CredentialsForm,
  sessionMessages,
} from "@/features/session/public.ts";
import { useBackend } from "@/lib/backend.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { toast } from "@/ui/toast.tsx";

/** `/adminlogin`: for those who run the place. */
export default function AdminSignInPage() {
  const { client } = useBackend();
  const navigate = useNavigate();

  async function submit(email: string, password: string) {
    const result = await adminSignIn(client, email, password);
    switch (result.kind) {
      case "failed":
        return result.message;
      case "choose-password":
        await navigate(paths.updatePassword);
        return null;
      case "done":
        toast.good(sessionMessages.adminDone);
        await navigate(paths.adminDashboard);
        return null;
    }
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
      <CredentialsForm emailLabel="Admin email" submitLabel="Sign in" onSubmit={submit} />
    </AuthPage>
  );
}
