import { useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { SecondFactorStep } from "../components/second-factor-step.tsx";
import {
  authLinkStrings,
  authPageStrings,
  sessionStrings,
  updatePasswordStrings,
} from "../strings.ts";
import { UpdatePasswordForm } from "../components/update-password-form.tsx";
import { useSession } from "../session-provider.tsx";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";

/** `/update-password`: where the link of a password e-mail leads, and accounts with a one-time password. */
export function UpdatePasswordPage() {
  const { user, pending, loading, refreshProfile } = useSession();
  const { link } = useBackend().authRedirect;
  // Who has just accepted an invitation has no password yet.
  const { state } = useLocation() as { state: { invited?: boolean } | null };
  const invited = state?.invited === true;
  const [done, setDone] = useState(false);
  const askedElsewhere = link?.outcome === "other-browser";

  if (done) {
    return (
      <AuthPage title={updatePasswordStrings.doneTitle}>
        <Alert tone="good">{sessionStrings.passwordUpdated}</Alert>
        <Button asChild size="lg" wide>
          <Link to={paths.studentDashboard}>{updatePasswordStrings.goOn}</Link>
        </Button>
      </AuthPage>
    );
  }
  if (user === null && loading) {
    return (
      <AuthPage title={updatePasswordStrings.title}>
        <Loading label={updatePasswordStrings.checking} className="grid gap-4">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </Loading>
      </AuthPage>
    );
  }
  if (pending !== null) return <SecondFactorStep />;
  if (user === null) {
    return (
      <AuthPage title={updatePasswordStrings.unusableTitle(askedElsewhere)}>
        <Alert tone="warn">{updatePasswordStrings.unusable(askedElsewhere)}</Alert>
        <NewLink />
      </AuthPage>
    );
  }
  const mustChoose = user.mustChoosePassword === true;
  return (
    <AuthPage
      title={mustChoose ? updatePasswordStrings.ownTitle : updatePasswordStrings.title}
      intro={mustChoose ? updatePasswordStrings.ownIntro(user.email) : user.email}
    >
      {link !== null && link.outcome !== "signed-in" ? (
        <Alert tone="warn" title={updatePasswordStrings.notUsedTitle} action={<NewLink small />}>
          {updatePasswordStrings.unusable(askedElsewhere)}{" "}
          {authLinkStrings.stillSignedIn(user.email)}
        </Alert>
      ) : null}
      <UpdatePasswordForm
        currentLabel={currentLabelFor(mustChoose, invited || user.isRecovering === true)}
        onDone={() => {
          setDone(true);
          // With a password of its own, the account may have become an administrator's.
          void refreshProfile();
        }}
      />
    </AuthPage>
  );
}

/** A session that a recovery link or an invitation began does not know the current password; every other one is asked for it. */
function currentLabelFor(mustChoose: boolean, isRecovering: boolean): string | null {
  if (mustChoose) return authPageStrings.oneTimePassword;
  return isRecovering ? null : authPageStrings.currentPassword;
}

function NewLink({ small = false }: { readonly small?: boolean }): ReactNode {
  return (
    <Button
      asChild
      {...(small ? { size: "sm", variant: "secondary" } : { size: "lg", wide: true })}
    >
      <Link to={paths.resetPassword}>{updatePasswordStrings.newLink}</Link>
    </Button>
  );
}
