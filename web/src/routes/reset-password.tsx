import { useState } from "react";
import { paths } from "@/domain/paths.ts";
import { AuthPage, RequestLinkForm } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** `/reset-password`: asks for a link to choose a new password. */
export default function ResetPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthPage
      title="Reset your password"
      intro="Tell us your email address and we send you a link to choose a new one."
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
          browser. It works once and for one hour.
        </Alert>
      )}
    </AuthPage>
  );
}
