import { Alert } from "@/ui/alert.tsx";
import type { Plan } from "../model/plan.ts";
import { useSwitchConfirmation } from "../queries.ts";

/** What became of a switch the server has accepted. It counts once the subscription shows it. */
export function SwitchResult({
  to,
  isConfirmed,
}: {
  readonly to: Plan;
  readonly isConfirmed: boolean;
}) {
  const hasGivenUp = useSwitchConfirmation(!isConfirmed);
  if (isConfirmed) return <Alert tone="good">You're on {to.name} now.</Alert>;
  return hasGivenUp ? (
    <Alert tone="warn" title={`Your switch to ${to.name} isn't confirmed yet`}>
      Press Refresh Status in a few minutes. You aren't charged twice for it.
    </Alert>
  ) : (
    <Alert tone="info" title={`We're confirming your switch to ${to.name}…`}>
      This usually takes a few seconds.
    </Alert>
  );
}
