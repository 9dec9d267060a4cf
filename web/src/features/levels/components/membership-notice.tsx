import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { useEffectiveLevel } from "../queries.ts";

/**
 * Explains why a member may use nothing now, no active membership or unfinished onboarding, with the way on. Nothing
 * for everyone else. The children say what is locked.
 */
export function MembershipNotice({ children }: { readonly children: ReactNode }) {
  const { onboardingComplete } = useSession();
  const { status, current } = useEffectiveLevel();
  if (status !== "ready" || current !== 0) return null;
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
      {children}
    </Alert>
  );
}
