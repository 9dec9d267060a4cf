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
  plans,
}: {
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
}) {
  const { client } = useBackend();
  const { refresh } = useSubscription();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { pendingPriceId, pendingFrom, pendingChangeId } = subscription;
  if (pendingPriceId === null) return null;
  const name = (priceId: string | null) =>
    plans.find((plan) => plan.priceId === priceId)?.name ?? "your current plan";

  async function undo() {
    setBusy(true);
    setProblem(null);
    const { error } = await cancelPlanChange(client, pendingChangeId ?? "");
    if (error === null) await refresh().catch(() => undefined);
    else setProblem(error === "" ? billingStrings.planUndoFailed : error);
    setBusy(false);
  }

  return (
    <>
      <Alert
        tone={pendingFrom === null ? "warn" : "info"}
        title={
          pendingFrom === null
            ? `Your switch to ${name(pendingPriceId)} is not paid yet`
            : `You switch to ${name(pendingPriceId)} on ${formatEpochDay(pendingFrom)}`
        }
        action={
          <Button variant="secondary" size="sm" loading={busy} onClick={() => void undo()}>
            Undo the Switch
          </Button>
        }
      >
        {pendingFrom === null
          ? "Your bank has not approved the payment. Undo the switch to start it again; nothing has been charged."
          : `Until then you keep everything ${name(subscription.priceId)} gives.`}
      </Alert>
      {problem === null ? null : <Alert tone="danger">{problem}</Alert>}
    </>
  );
}
