import type { BackendClient } from "@/lib/backend-client.ts";
import type { CancellationReason } from "../model/cancellation-reason.ts";
import { callFunction, textOf, type FunctionResponse } from "@/lib/call-function.ts";

/** `error` is null when it worked, else the server's text, empty when it gave none. */
export interface RenewalChangeResult {
  readonly error: string | null;
}

/** Ends the subscription at the end of the period that is paid for. */
export async function cancelSubscription(
  client: BackendClient,
  subscriptionId: string,
  { reason, comment }: CancellationReason,
): Promise<RenewalChangeResult> {
  return toRenewalChangeResult(
    await callFunction(client, "stripe-cancel-subscription", {
      subscription_id: subscriptionId,
      ...(reason === "" ? {} : { reason }),
      ...(comment.trim() === "" ? {} : { comment: comment.trim() }),
    }),
  );
}

/** Resumes a subscription that was to end. */
export async function uncancelSubscription(
  client: BackendClient,
  subscriptionId: string,
): Promise<RenewalChangeResult> {
  return toRenewalChangeResult(
    await callFunction(client, "stripe-uncancel-subscription", { subscription_id: subscriptionId }),
  );
}

function toRenewalChangeResult({ status, body }: FunctionResponse): RenewalChangeResult {
  const error = textOf(body, "error");
  return { error: status === 200 && error === "" ? null : error };
}
