import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { cancelSubscription, uncancelSubscription } from "../api/change-renewal.ts";
import { billingStrings } from "../strings.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import { formatEpochDay } from "../model/format-subscription.ts";
import { useSubscription } from "../use-subscription.ts";

interface Result {
  readonly tone: "good" | "danger";
  readonly text: string;
}

/** Ends the membership at the end of the paid period, or takes that back. */
export function RenewalControl({ subscription }: { readonly subscription: Subscription }) {
  const { client } = useBackend();
  const { refresh } = useSubscription();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<Result | null>(null);
  const { id, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const canChange = id !== null && (isActive(subscription) || subscription.status === "past_due");

  async function change(): Promise<Result> {
    const { data } = await client.auth.getSession();
    if (data.session === null || id === null) {
      return { tone: "danger", text: billingStrings.cancelNoSession };
    }
    const act = cancelAtPeriodEnd ? uncancelSubscription : cancelSubscription;
    const { error } = await act(client, id);
    if (error !== null) {
      const fallback = cancelAtPeriodEnd
        ? billingStrings.uncancelFailed
        : billingStrings.cancelFailed;
      return { tone: "danger", text: error === "" ? fallback : error };
    }
    /* The deed is done; a status that cannot be read now is read at the next visit. */
    await refresh().catch(() => undefined);
    return {
      tone: "good",
      text: cancelAtPeriodEnd ? billingStrings.uncanceled : billingStrings.canceled,
    };
  }

  async function run() {
    setBusy(true);
    setResult(null);
    setResult(await change());
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      {result ? (
        <Alert tone={result.tone} className="basis-full">
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
            ? "You keep your access to the end of the period you have paid for. Your progress is kept in case you come back."
            : `You keep your access until ${formatEpochDay(currentPeriodEnd)}. Nothing more is charged, and your progress is kept in case you come back.`
        }
        confirmLabel="Yes, cancel"
        cancelLabel="Keep my subscription"
        onConfirm={() => void run()}
      />
    </>
  );
}
