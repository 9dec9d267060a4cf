import { Alert } from "@/ui/alert.tsx";
import type { Plan } from "../model/plan.ts";
import { useSwitchConfirmation } from "../queries.ts";
import { planSwitchStrings } from "../strings/plans.ts";

/** What became of a switch the server has accepted. It counts once the subscription shows it. */
export function SwitchResult({
  to,
  isConfirmed,
}: {
  readonly to: Plan;
  readonly isConfirmed: boolean;
}) {
  const hasGivenUp = useSwitchConfirmation(!isConfirmed);
  if (isConfirmed) return <Alert tone="good">{planSwitchStrings.done(to.name)}</Alert>;
  return hasGivenUp ? (
    <Alert tone="warn" title={planSwitchStrings.unconfirmedTitle(to.name)}>
      {planSwitchStrings.unconfirmed}
    </Alert>
  ) : (
    <Alert tone="info" title={planSwitchStrings.confirmingTitle(to.name)}>
      {planSwitchStrings.confirming}
    </Alert>
  );
}
