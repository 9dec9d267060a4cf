import { Link, useLocation } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { secondFactorNeededStrings } from "../strings.ts";

/** Stands where administrators need a second factor, with the way to it and back. */
export function SecondFactorNeeded({
  title = secondFactorNeededStrings.title,
  purpose = secondFactorNeededStrings.purpose,
}: {
  readonly title?: string;
  /** What a password alone is not enough for, such as `see members' data`. */
  readonly purpose?: string;
}) {
  const { config } = useBackend();
  const { pathname, search } = useLocation();
  const then = encodeURIComponent(pathname + search);
  return (
    <Alert
      tone="info"
      title={title}
      action={
        <Button asChild size="sm">
          <Link to={`${paths.account}?then=${then}#second-factor`}>
            {secondFactorNeededStrings.setUp}
          </Link>
        </Button>
      }
    >
      {secondFactorNeededStrings.text(purpose, config.securityKeys)}
    </Alert>
  );
}
