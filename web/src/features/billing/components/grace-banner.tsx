import { Link } from "react-router";
import { cardFormPath } from "@/domain/paths.ts";
import { systemClock } from "@/lib/clock.ts";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { graceEnd } from "../model/subscription.ts";
import { useSubscription } from "../queries.ts";
import { standingStrings } from "../strings/checkout.ts";
import { subscriptionStatusStrings } from "../strings/membership.ts";

/** On every page while a failed payment leaves access: until when, and the way to another card. Else nothing. */
export function GraceBanner({ className }: { readonly className?: string }) {
  const { subscription } = useSubscription();
  const end = graceEnd(subscription, systemClock.now());
  if (end === null) return null;
  return (
    <Alert
      className={className}
      tone="danger"
      title={standingStrings.failed}
      action={
        <Button asChild size="sm">
          <Link to={cardFormPath}>{standingStrings.updateCard}</Link>
        </Button>
      }
    >
      {subscriptionStatusStrings.grace(longDate(end))}
    </Alert>
  );
}
