import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { useEffectiveLevel } from "../queries.ts";

/**
 * Explains why a member cannot see or share submissions: no active membership, or unfinished
 * onboarding.
 */
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
      Submissions are for active members. Everything you've shared is kept.
    </Alert>
  );
}
