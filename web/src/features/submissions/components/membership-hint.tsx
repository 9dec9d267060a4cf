import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { useEffectiveLevel } from "../queries.ts";

/** Says why somebody sees and shares nothing here: no live membership, or onboarding to finish. */
export function MembershipHint() {
  const { onboardingComplete } = useSession();
  const { data } = useEffectiveLevel();
  if (data !== 0) return null;
  return (
    <Alert
      tone="warn"
      title={
        onboardingComplete ? "Your membership is not active" : "Your membership is not complete"
      }
      action={
        <Button asChild size="sm">
          <Link to={onboardingComplete ? paths.subscriptions : paths.onboarding}>
            {onboardingComplete ? "See your membership" : "Finish onboarding"}
          </Link>
        </Button>
      }
    >
      Submissions are shared among members. What you shared before is still yours.
    </Alert>
  );
}
