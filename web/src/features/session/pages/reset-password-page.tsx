import { useState } from "react";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { RequestLinkForm } from "../components/request-link-form.tsx";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** `/reset-password`: asks for a link to choose a new password. */
export function ResetPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthPage
      title="Reset your password"
      intro="Enter your email address and we'll send you a link to choose a new password."
      footer={
        <p>
          <TextLink to={paths.signIn}>Back to sign in</TextLink>
        </p>
      }
    >
      {sentTo === null ? (
        <RequestLinkForm onSent={setSentTo} />
      ) : (
        <Alert tone="good" title="Check your inbox">
          If <strong>{sentTo}</strong> belongs to an account, a link is on its way. Open it in this
          browser. It works once and expires after one hour.
        </Alert>
      )}
    </AuthPage>
  );
}
