import { useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { noCancellationReason } from "../model/cancellation-reason.ts";
import type { Plan } from "../model/plan.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import { formatEpochDay } from "./format-subscription.ts";
import { useChangeRenewal, type RenewalChange } from "../mutations.ts";
import { renewalStrings } from "../strings/membership.ts";
import { planSwitchStrings } from "../strings/plans.ts";
import { CancelReason } from "./cancel-reason.tsx";

/** What cancelling does, which depends on whether there is access now. */
function cancelConsequence(subscription: Subscription): string {
  const { currentPeriodEnd: end } = subscription;
  const day = end === null ? renewalStrings.unknownEnd : formatEpochDay(end);
  if (subscription.hold === "paused") return renewalStrings.endsPaused;
  if (subscription.status === "trialing") return renewalStrings.endsTrial(day);
  return isActive(subscription) ? renewalStrings.ends(day) : renewalStrings.endsOverdue(day);
}

/** Says that cancelling drops a planned switch of plan; null without one. */
function droppedSwitch({ pendingPriceId }: Subscription, plans: readonly Plan[]): string | null {
  if (pendingPriceId === null) return null;
  const name =
    plans.find(({ priceId }) => priceId === pendingPriceId)?.name ??
    planSwitchStrings.unknownTarget;
  return renewalStrings.dropsSwitch(name);
}

/** Cancels the subscription at the end of the period, or resumes it. */
export function RenewalControl({
  subscription,
  plans,
  isLastUsed,
  onUse,
}: {
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
  /** Nothing else was done since; what was said before that is over. */
  readonly isLastUsed: boolean;
  readonly onUse: () => void;
}) {
  const changeRenewal = useChangeRenewal(subscription);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState(noCancellationReason);
  const [result, setResult] = useState<RenewalChange | null>(null);
  const { id, cancelAtPeriodEnd } = subscription;
  const dropped = droppedSwitch(subscription, plans);
  const isPaused = subscription.hold === "paused" && !cancelAtPeriodEnd;
  const canChange =
    id !== null && (isActive(subscription) || subscription.status === "past_due" || isPaused);

  async function run() {
    setBusy(true);
    setResult(null);
    onUse();
    setResult(await changeRenewal(reason));
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      {result && isLastUsed ? (
        <Alert tone={result.succeeded ? "good" : "danger"} className="basis-full">
          {result.text}
        </Alert>
      ) : null}
      {!canChange ? null : cancelAtPeriodEnd ? (
        <Button loading={busy} onClick={() => void run()}>
          {renewalStrings.keep}
        </Button>
      ) : (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          {renewalStrings.cancel}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        danger
        busy={busy}
        title={renewalStrings.title}
        description={cancelConsequence(subscription)}
        confirmLabel={renewalStrings.confirm}
        cancelLabel={renewalStrings.stay}
        onConfirm={() => void run()}
      >
        {dropped === null ? null : (
          <Alert tone="warn" className="mt-5">
            {dropped}
          </Alert>
        )}
        <CancelReason reason={reason} onChange={setReason} />
      </ConfirmDialog>
    </>
  );
}
