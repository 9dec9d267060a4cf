import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { adminSecondFactorDue } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";

/** Said where a part of the console could not be read: what failed, or that it needs a second factor. */
export function AdminLoadFailed({
  title,
  error,
  busy,
  onRetry,
}: {
  /** Such as `We couldn't load the members`. */
  readonly title: string;
  readonly error: unknown;
  readonly busy: boolean;
  readonly onRetry: () => void;
}) {
  const { pathname, search } = useLocation();
  if (toAppError(error).code !== adminSecondFactorDue) {
    return <LoadFailed title={title} busy={busy} onRetry={onRetry} />;
  }
  const then = encodeURIComponent(pathname + search);
  return (
    <Alert
      tone="info"
      title="This page needs a second factor"
      action={
        <Button asChild size="sm">
          <Link to={`${paths.account}?then=${then}#second-factor`}>Set up second factor</Link>
        </Button>
      }
    >
      A password alone isn't enough to see members' data. Set up an authenticator app on your
      account page, then come back here.
    </Alert>
  );
}
