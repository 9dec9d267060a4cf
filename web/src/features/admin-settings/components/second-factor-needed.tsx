import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

/** Stands where a setting needs a second factor, with the way to it and back. */
export function SecondFactorNeeded() {
  const { pathname, search } = useLocation();
  const then = encodeURIComponent(pathname + search);
  return (
    <Alert
      tone="info"
      title="These settings need a second factor"
      action={
        <Button asChild size="sm">
          <Link to={`${paths.account}?then=${then}#second-factor`}>Set up second factor</Link>
        </Button>
      }
    >
      A password alone isn't enough to change what members reach or read. Set up an authenticator
      app on your account page, then come back here.
    </Alert>
  );
}
