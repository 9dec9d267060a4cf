import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { BillingClients } from "./billing-context.ts";
import { makeRefund } from "./refund-payment.ts";
import { changeRenewal } from "./renewal.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { abandonUnpaidSubscription } from "./subscriptions.ts";

const owedRefund = z.object({
  request_id: z.string(),
  payment_id: z.string(),
  amount_pence: z.number(),
});
const settlement = z.object({ renewals: z.array(z.string()), refunds: z.array(owedRefund) });

const renewalEnds = {
  name: "settle-claim",
  ends: true,
  failureMessage: "The membership could not be stopped.",
} as const;

/** What one round did for a granted claim, and what is left to do. */
interface ClaimSettlement {
  refunded: number;
  left: number;
  renews: boolean;
}

/** Granted claims with something left to settle. */
export async function claimsToSettle(service: DatabaseClient): Promise<string[]> {
  return await callRpc(service, "billing_claims_to_settle", {});
}

/**
 * Carries out a granted claim under the guarantee: no further charge, and each payment refunded once. Repeating the call
 * goes on where the last one ended; two calls at once do it once. What the provider refuses is logged and left.
 * `admin` is null for the scheduled run, which waits after each failure.
 */
export async function settleClaim(
  billing: BillingClients,
  service: DatabaseClient,
  claim: string,
  admin: string | null,
): Promise<ClaimSettlement> {
  const owed = async () =>
    settlement.parse(await callRpc(service, "billing_claim_settlement", { claim_id: claim }));
  const attempt = async (step: () => Promise<void>): Promise<boolean> => {
    try {
      await step();
      return true;
    } catch (error) {
      console.error(`settle-claim: ${claim}: ${errorForLog(error)}`);
      return false;
    }
  };
  await attempt(async () => {
    for (const subscription of (await owed()).renewals) await stopRenewal(billing, subscription);
    await callRpc(service, "billing_claim_renewal_stopped", { claim_id: claim, admin });
  });
  let refunded = 0;
  for (const { payment_id: payment } of (await owed()).refunds) {
    await attempt(async () => {
      const args = { claim_id: claim, payment, admin };
      const begun = await callRpc(service, "billing_begin_claim_refund", args);
      if (begun === null) return;
      const { request_id: id, amount_pence: amount } = owedRefund.parse(begun);
      await makeRefund(billing, service, admin, { id, payment, amount });
      refunded += 1;
    });
  }
  const { renewals, refunds } = await owed();
  return { refunded, left: refunds.length, renews: renewals.length > 0 };
}

/** One that has ended already takes no further payment. Where a renewal is unpaid, the provider would try its card again. */
async function stopRenewal(billing: BillingClients, subscription: string): Promise<void> {
  const { stripe, database } = billing;
  try {
    await abandonUnpaidSubscription(stripe, database, subscription);
    await changeRenewal(billing, subscription, renewalEnds);
  } catch (error) {
    if (!(error instanceof FunctionError) || error.status >= 500) throw error;
  }
}
