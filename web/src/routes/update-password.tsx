import { useState } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import {
  AuthPage,
  SecondFactorPage,
  sessionMessages,
  UpdatePasswordForm,
  useSession,
} from "@/features/session/public.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";

/** `/update-password`: where the link of a password e-mail leads. */
export default function UpdatePasswordPage() {
  const { user, pending, loading } = useSession();
  const { arrival } = useBackend();
  const [done, setDone] = useState(false);

  if (done) {
    return (
      <AuthPage title="Password changed">
        <Alert tone="good">{sessionMessages.passwordUpdated}</Alert>
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
      <AuthPage title="This link does not work any more">
        <Alert tone="warn">
          {arrival.problem ?? "Links work once and for one hour. Please ask for a new one."}
        </Alert>
        <Button asChild size="lg" wide>
          <Link to={paths.resetPassword}>Send a new link</Link>
        </Button>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Choose a new password" intro={user.email}>
      <UpdatePasswordForm onDone={() => setDone(true)} />
    </AuthPage>
  );
}
