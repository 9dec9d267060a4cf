import { z } from "zod";
import { BillingDatabase } from "../billing/billing-database.ts";
import { settleClaim } from "../billing/settle-claim.ts";
import { stripeClient } from "../billing/stripe-client.ts";
import { withdraw } from "../billing/withdrawal.ts";
import { callRpc } from "../database/database-client.ts";
import { serviceClient } from "../database/service-client.ts";
import type { Deps } from "../deps.ts";
import type { Member } from "../http/caller.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";

const owedRefunds = z.object({
  /** A course's purchase; null for the membership. */
  withdrawals: z.array(z.string().nullable()),
  claims: z.array(z.string()),
});

/**
 * Makes the refunds that an account was promised: what is written down about them goes with the account, and nothing would
 * make them afterwards. Repeating the call goes on where the last one ended.
 * @throws {FunctionError} 409 refund_owed while the card provider has not taken one.
 */
export async function makeOwedRefunds(deps: Deps, { id: member }: Member): Promise<void> {
  const service = serviceClient(deps);
  const owed = async () =>
    owedRefunds.parse(await callRpc(service, "billing_owed_refunds", { member }));
  const { withdrawals, claims } = await owed();
  if (withdrawals.length + claims.length === 0) return;
  const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
  for (const purchase of withdrawals) {
    await withdraw(billing, service, member, purchase).catch((error: unknown) => {
      console.error(`make-owed-refunds: withdrawal of ${member}: ${errorForLog(error)}`);
    });
  }
  for (const claim of claims) await settleClaim(billing, service, claim, null);
  const left = await owed();
  if (left.withdrawals.length + left.claims.length === 0) return;
  const message =
    "We owe you a refund that hasn't gone through yet, and deleting your account would lose it. We're still trying: please delete your account once you have it, or write to us.";
  throw new FunctionError(409, "refund_owed", message);
}
