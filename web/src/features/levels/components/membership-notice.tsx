import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { statusNote, useSubscription } from "@/features/billing/index.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { useEffectiveLevel } from "../queries.ts";
import { membershipNoticeStrings } from "../strings.ts";

/**
 * Explains why a member may use nothing now, what became of the membership or unfinished onboarding, with the way on. Nothing
 * for everyone else. The children say what is locked.
 */
export function MembershipNotice({ children }: { readonly children: ReactNode }) {
  const { onboardingComplete } = useSession();
  const { status, current } = useEffectiveLevel();
  const subscription = useSubscription();
  if (status !== "ready" || current !== 0 || subscription.status === "loading") return null;
  const notice = onboardingComplete
    ? notices.lapsed
    : subscription.status === "ready" && !subscription.active
      ? notices.unpaid
      : notices.onboarding;
  const { subscription: held, active } = subscription;
  const what = held === null || active ? null : statusNote(held.status, held.hold);
  return (
    <Alert
      tone="warn"
      title={what ?? notice.title}
      action={
        <Button asChild size="sm">
          <Link to={notice.to}>{notice.action}</Link>
        </Button>
      }
    >
      {children}
    </Alert>
  );
}

const notices = {
  lapsed: { ...membershipNoticeStrings.lapsed, to: paths.subscriptions },
  unpaid: { ...membershipNoticeStrings.unpaid, to: paths.paywall },
  onboarding: { ...membershipNoticeStrings.onboarding, to: paths.onboarding },
} as const;
