import { useState } from "react";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { RequestLinkForm } from "../components/request-link-form.tsx";
import { resetPasswordStrings } from "../strings.ts";
import { Alert } from "@/ui/alert.tsx";
import { TextLink } from "@/ui/text-link.tsx";

/** `/reset-password`: asks for a link to choose a new password. */
export function ResetPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <AuthPage
      title={resetPasswordStrings.title}
      intro={resetPasswordStrings.intro}
      footer={
        <p>
          <TextLink to={paths.signIn}>{resetPasswordStrings.signIn}</TextLink>
        </p>
      }
    >
      {sentTo === null ? (
        <RequestLinkForm onSent={setSentTo} />
      ) : (
        <Alert tone="good" title={resetPasswordStrings.sentTitle}>
          {resetPasswordStrings.sentBefore}
          <strong>{sentTo}</strong>
          {resetPasswordStrings.sentAfter}
        </Alert>
      )}
    </AuthPage>
  );
}
