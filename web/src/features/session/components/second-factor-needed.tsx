import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

/** Stands where administrators need a second factor, with the way to it and back. */
export function SecondFactorNeeded({
  title = "This page needs a second factor",
  purpose = "see members' data",
}: {
  readonly title?: string;
  /** What a password alone is not enough for, such as `see members' data`. */
  readonly purpose?: string;
}) {
  const { pathname, search } = useLocation();
  const then = encodeURIComponent(pathname + search);
  return (
    <Alert
      tone="info"
      title={title}
      action={
        <Button asChild size="sm">
          <Link to={`${paths.account}?then=${then}#second-factor`}>Set up second factor</Link>
        </Button>
      }
    >
      A password alone isn't enough to {purpose}. Set up an authenticator app on your account page,
      then come back here.
    </Alert>
  );
}
