import { useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { isActive, type Subscription } from "../model/subscription.ts";
import { formatEpochDay } from "../model/format-subscription.ts";
import { useChangeRenewal, type RenewalChange } from "../mutations.ts";

/** Cancels the subscription at the end of the period, or resumes it. */
export function RenewalControl({ subscription }: { readonly subscription: Subscription }) {
  const changeRenewal = useChangeRenewal(subscription);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<RenewalChange | null>(null);
  const { id, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const canChange = id !== null && (isActive(subscription) || subscription.status === "past_due");

  async function run() {
    setBusy(true);
    setResult(null);
    setResult(await changeRenewal());
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      {result ? (
        <Alert tone={result.succeeded ? "good" : "danger"} className="basis-full">
          {result.text}
        </Alert>
      ) : null}
      {!canChange ? null : cancelAtPeriodEnd ? (
        <Button loading={busy} onClick={() => void run()}>
          Keep My Subscription
        </Button>
      ) : (
        <Button variant="secondary" onClick={() => setAsking(true)}>
          Cancel Subscription
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        danger
        busy={busy}
        title="Cancel your subscription?"
        description={
          currentPeriodEnd === null
            ? "You'll keep your access until the end of the period you've paid for. We'll keep your progress in case you come back."
            : `You'll keep your access until ${formatEpochDay(currentPeriodEnd)}. You won't be charged again, and we'll keep your progress in case you come back.`
        }
        confirmLabel="Yes, cancel"
        cancelLabel="Keep my subscription"
        onConfirm={() => void run()}
      />
    </>
  );
}
