import { z } from "zod";
import { callRpc, type DatabaseClient, type ProcedureResult } from "../database/database-client.ts";
import type { BillingClients } from "./billing-context.ts";
import { makeRefund } from "./refund-payment.ts";
import { FunctionError } from "../http/responses.ts";
import { cancelImmediately, readSubscription } from "./subscriptions.ts";

const withdrawal = z.object({
  /** Null for a course. */
  subscription_id: z.string().nullable(),
  refunds: z.array(
    z.object({ request_id: z.string(), payment_id: z.string(), amount_pence: z.number() }),
  ),
  /** Whether there is a refund besides, which is to be asked for again later. */
  is_waiting: z.boolean(),
});

/** Withdrawals that are not settled and that no call is at work on. */
export async function openWithdrawals(
  service: DatabaseClient,
): Promise<ProcedureResult<"billing_open_withdrawals">> {
  return await callRpc(service, "billing_open_withdrawals", {});
}

/**
 * Withdraws a member from the membership, or from a course they bought: refunds what was paid and ends what it opened at
 * once. Repeating the call goes on where the last one ended; two calls at once do it once.
 * @returns what was refunded, in the currency's smallest unit.
 * @throws {FunctionError} 409 withdrawal_not_possible without a right to; 502 provider_unavailable when a refund is not made
 * yet, after the subscription has ended all the same: the reconciliation goes on with it.
 */
export async function withdraw(
  billing: BillingClients,
  service: DatabaseClient,
  member: string,
  purchase: string | null = null,
): Promise<number> {
  const begun = await callRpc(service, "billing_begin_withdrawal", { member, purchase });
  if (begun === null) {
    const message =
      purchase === null
        ? "You can withdraw here within 14 days of your first payment, once a year. Please write to us."
        : "You can give a course back here within 14 days of buying it, once. Please write to us.";
    throw new FunctionError(409, "withdrawal_not_possible", message);
  }
  const { subscription_id: subscription, refunds, is_waiting: isWaiting } = withdrawal.parse(begun);
  let refunded = 0;
  const failures: unknown[] = [];
  for (const { request_id: id, payment_id: payment, amount_pence: amount } of refunds) {
    try {
      await makeRefund(billing, service, null, { id, payment, amount });
      refunded += amount;
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (subscription !== null) {
    // A refund of everything has ended it already.
    await cancelImmediately(billing.stripe, subscription);
    await readSubscription(billing.stripe, billing.database, subscription);
  }
  if (failures.length > 0 || isWaiting) {
    const message =
      subscription === null
        ? "We have your withdrawal. We couldn't make the refund yet; we'll make it as soon as we can, without you asking again."
        : "Your membership has ended. We couldn't make the refund yet; we'll make it as soon as we can, without you asking again.";
    throw new FunctionError(502, "provider_unavailable", message, { cause: failures[0] });
  }
  await callRpc(service, "billing_end_withdrawal", { member, purchase });
  return refunded;
}
