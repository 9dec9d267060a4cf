import { useBackend } from "@/lib/backend.tsx";
import { cancelSubscription, uncancelSubscription } from "./api/change-renewal.ts";
import type { CancellationReason } from "./model/cancellation-reason.ts";
import type { Subscription } from "./model/subscription.ts";
import { useSubscription } from "./queries.ts";
import { billingStrings } from "./strings/payment.ts";

export interface RenewalChange {
  readonly succeeded: boolean;
  /** The text to show the member. */
  readonly text: string;
}

/** Returns a function that cancels the renewal, or resumes it when it is cancelled. */
export function useChangeRenewal({
  id,
  cancelAtPeriodEnd,
  hold,
}: Pick<Subscription, "id" | "cancelAtPeriodEnd" | "hold">): (
  reason: CancellationReason,
) => Promise<RenewalChange> {
  const { client } = useBackend();
  const { refresh } = useSubscription();
  return async (reason) => {
    const { data } = await client.auth.getSession();
    if (data.session === null || id === null) {
      return { succeeded: false, text: billingStrings.cancelNoSession };
    }
    const { error } = cancelAtPeriodEnd
      ? await uncancelSubscription(client, id)
      : await cancelSubscription(client, id, reason);
    if (error !== null) {
      const fallback = cancelAtPeriodEnd
        ? billingStrings.uncancelFailed
        : billingStrings.cancelFailed;
      return { succeeded: false, text: error === "" ? fallback : error };
    }
    // The change is saved. A status that cannot be fetched now is fetched on the next visit.
    await refresh().catch(() => undefined);
    return {
      succeeded: true,
      text: cancelAtPeriodEnd
        ? billingStrings.uncanceled
        : hold === "paused"
          ? billingStrings.endedWhilePaused
          : billingStrings.canceled,
    };
  };
}
