import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { cancelPlanChange } from "../api/change-plan.ts";
import { formatEpochDay } from "./format-subscription.ts";
import type { Plan } from "../model/plan.ts";
import type { Subscription } from "../model/subscription.ts";
import { useSubscription } from "../queries.ts";
import { billingStrings } from "../strings/payment.ts";
import { planSwitchStrings } from "../strings/plans.ts";

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
  const name =
    plans.find(({ priceId }) => priceId === pendingPriceId)?.name ??
    planSwitchStrings.unknownTarget;

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
            ? planSwitchStrings.unpaidTitle(name)
            : planSwitchStrings.plannedTitle(name, formatEpochDay(pendingFrom))
        }
        action={
          <Button variant="secondary" size="sm" loading={busy} onClick={() => void undo()}>
            {planSwitchStrings.undo}
          </Button>
        }
      >
        {pendingFrom === null
          ? planSwitchStrings.unpaid
          : planSwitchStrings.planned(current?.name ?? planSwitchStrings.unknownCurrent)}
      </Alert>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
    </>
  );
}
