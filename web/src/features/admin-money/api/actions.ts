import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { toAppError, type AppError } from "@/lib/errors.ts";

export type RefundAnswer =
  | { readonly kind: "made"; readonly isPending: boolean }
  /** No clear answer: the refund may have been made. The same request may be repeated. */
  | { readonly kind: "unclear" }
  | ({ readonly kind: "refused" } & ActionProblem);

/** Why an act was not done: the code and message of the answer, both empty when none came. */
export type ActionProblem = Pick<AppError, "code" | "message">;

/** Why the database did not do an act. */
export function problemOf(error: unknown): ActionProblem {
  const { code, message } = toAppError(error);
  return { code, message: code === "" ? "" : message };
}

/** Refunds a payment. Amount in minor units; the request id makes a repeated call the same refund. */
export async function requestRefund(
  client: BackendClient,
  request: {
    readonly id: string;
    readonly paymentId: string;
    readonly amountPence: number;
    readonly reason: string;
  },
): Promise<RefundAnswer> {
  const { status, body } = await callFunction(client, "admin-refund-payment", {
    request_id: request.id,
    payment_id: request.paymentId,
    amount_pence: request.amountPence,
    reason: request.reason,
  });
  if (status === 200) return { kind: "made", isPending: textOf(body, "status") !== "succeeded" };
  if (status === 0 || status >= 500) return { kind: "unclear" };
  return { kind: "refused", code: textOf(body, "code"), message: textOf(body, "error") };
}

/** Records a transfer of exactly what is payable. Returns the problem, or null when it is recorded. */
export async function markPayout(
  client: BackendClient,
  payout: {
    readonly affiliateId: string;
    readonly amountPence: number;
    readonly reference: string;
  },
): Promise<ActionProblem | null> {
  const { error } = await client.rpc("admin_mark_payout", {
    affiliate: payout.affiliateId,
    amount_pence: payout.amountPence,
    reference: payout.reference,
  });
  return error === null ? null : problemOf(error);
}

/** Processes a failed event again. Returns the problem, or null when it was processed. */
export async function retryEvent(client: BackendClient, id: string): Promise<string | null> {
  const { status, body } = await callFunction(client, "admin-retry-event", { event_id: id });
  return status === 200 ? null : textOf(body, "error");
}

/** Takes a failed event off the list without processing it. Returns the problem, or null. */
export async function clearEvent(
  client: BackendClient,
  event: string,
  reason: string,
): Promise<ActionProblem | null> {
  const { error } = await client.rpc("admin_clear_failed_event", { event, reason });
  return error === null ? null : problemOf(error);
}

/** Gives a membership without payment. `endsAt` in epoch milliseconds. Returns the problem, or null. */
export async function grantMembership(
  client: BackendClient,
  grant: {
    readonly email: string;
    readonly planId: string;
    readonly endsAt: number | null;
    readonly reason: string;
  },
): Promise<ActionProblem | null> {
  const { error } = await client.rpc("admin_grant_complimentary", {
    member_email: grant.email,
    plan: grant.planId,
    // The generated types know no null arguments.
    ends_at: (grant.endsAt === null ? null : new Date(grant.endsAt).toISOString()) as string,
    reason: grant.reason,
  });
  return error === null ? null : problemOf(error);
}

/** Ends a membership without payment. Returns the problem, or null. */
export async function revokeMembership(
  client: BackendClient,
  id: string,
  reason: string,
): Promise<ActionProblem | null> {
  const { error } = await client.rpc("admin_revoke_complimentary", { membership_id: id, reason });
  return error === null ? null : problemOf(error);
}
