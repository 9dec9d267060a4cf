import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";

/** Shown instead of money to an administrator whose session has no second factor. */
export function MoneySecondFactor() {
  const { pathname, search } = useLocation();
  const then = encodeURIComponent(pathname + search);
  return (
    <Alert
      tone="info"
      title="Money needs a second factor"
      action={
        <Button asChild size="sm">
          <Link to={`${paths.account}?then=${then}#second-factor`}>Set up second factor</Link>
        </Button>
      }
    >
      A password alone isn't enough to see or move money. Set up an authenticator app on your
      account page, then come back here.
    </Alert>
  );
}
