import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { cancelPlanChange } from "../api/change-plan.ts";
import { formatEpochDay } from "../model/format-subscription.ts";
import type { Plan } from "../model/plan.ts";
import type { Subscription } from "../model/subscription.ts";
import { useSubscription } from "../queries.ts";
import { billingStrings } from "../strings.ts";

/** Says which change of plan is planned or waits for the bank, and undoes it. */
export function PlannedChange({
  subscription,
  current,
  plans,
}: {
  readonly subscription: Subscription;
  readonly current: Plan | null;
  readonly plans: readonly Plan[];
}) {
  const { client } = useBackend();
  const { refresh } = useSubscription();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { pendingPriceId, pendingFrom, pendingChangeId } = subscription;
  if (pendingPriceId === null) return null;
  const name = plans.find(({ priceId }) => priceId === pendingPriceId)?.name ?? "another plan";

  async function undo() {
    setBusy(true);
    setProblem(null);
    const { error } = await cancelPlanChange(client, pendingChangeId ?? "");
    // After a refusal, too: another window may have changed what is planned.
    await refresh().catch(() => undefined);
    if (error !== null) setProblem(error === "" ? billingStrings.planUndoFailed : error);
    setBusy(false);
  }

  return (
    <>
      <Alert
        tone={pendingFrom === null ? "warn" : "info"}
        title={
          pendingFrom === null
            ? `Your switch to ${name} is not paid yet`
            : `You switch to ${name} on ${formatEpochDay(pendingFrom)}`
        }
        action={
          <Button variant="secondary" size="sm" loading={busy} onClick={() => void undo()}>
            Undo the Switch
          </Button>
        }
      >
        {pendingFrom === null
          ? "Your bank hasn't approved the payment yet. If you've just approved it, press Refresh Status. Otherwise undo the switch and start it again."
          : `Until then you keep everything ${current?.name ?? "your current plan"} gives.`}
      </Alert>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
    </>
  );
}
