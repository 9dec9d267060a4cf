import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { AuthPage } from "../components/auth-page.tsx";
import { SecondFactorPage } from "../components/second-factor-page.tsx";
import { sessionStrings } from "../strings.ts";
import { UpdatePasswordForm } from "../components/update-password-form.tsx";
import { useSession } from "../session-provider.tsx";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";

const elsewhere =
  "It was requested in another browser and works only there. Request a new link here and open it in this browser.";
const unusable = "Links work once and expire after one hour. Please request a new one.";

/** `/update-password`: where the link of a password e-mail leads, and accounts with a one-time password. */
export function UpdatePasswordPage() {
  const { user, pending, loading, refreshProfile } = useSession();
  const { link } = useBackend().authRedirect;
  const [done, setDone] = useState(false);
  const askedElsewhere = link?.outcome === "other-browser";

  if (done) {
    return (
      <AuthPage title="Password changed">
        <Alert tone="good">{sessionStrings.passwordUpdated}</Alert>
        <Button asChild size="lg" wide>
          <Link to={paths.studentDashboard}>Continue</Link>
        </Button>
      </AuthPage>
    );
  }
  if (user === null && loading) {
    return (
      <AuthPage title="Choose a new password">
        <Loading label="Checking your link" className="grid gap-4">
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </Loading>
      </AuthPage>
    );
  }
  if (pending !== null) return <SecondFactorPage />;
  if (user === null) {
    return (
      <AuthPage
        title={askedElsewhere ? "This link can't be used here" : "This link no longer works"}
      >
        <Alert tone="warn">{askedElsewhere ? elsewhere : unusable}</Alert>
        <NewLink />
      </AuthPage>
    );
  }
  const mustChoose = user.mustChoosePassword === true;
  return (
    <AuthPage
      title={mustChoose ? "Choose your own password" : "Choose a new password"}
      intro={mustChoose ? `You signed in as ${user.email} with a one-time password.` : user.email}
    >
      {link !== null && link.outcome !== "signed-in" ? (
        <Alert tone="warn" title="The link was not used" action={<NewLink small />}>
          {askedElsewhere ? elsewhere : unusable} You are still signed in as {user.email}.
        </Alert>
      ) : null}
      <UpdatePasswordForm
        currentLabel={currentLabelFor(mustChoose, user.isRecovering === true)}
        onDone={() => {
          setDone(true);
          // With a password of its own, the account may have become an administrator's.
          void refreshProfile();
        }}
      />
    </AuthPage>
  );
}

/** A session that a recovery link began does not know the current password; every other one is asked for it. */
function currentLabelFor(mustChoose: boolean, isRecovering: boolean): string | null {
  if (mustChoose) return "One-time password";
  return isRecovering ? null : "Current password";
}

function NewLink({ small = false }: { readonly small?: boolean }): ReactNode {
  return (
    <Button
      asChild
      {...(small ? { size: "sm", variant: "secondary" } : { size: "lg", wide: true })}
    >
      <Link to={paths.resetPassword}>Send a new link</Link>
    </Button>
  );
}
