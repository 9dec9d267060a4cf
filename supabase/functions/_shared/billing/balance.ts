import type Stripe from "stripe";
import { toMovement } from "./balance-movement.ts";
import type { BillingClients } from "./billing-context.ts";
import { requireOwnAccount } from "./prices.ts";

const hourS = 3600;
/** Readings of one round; a longer past is read in several. */
const maxReadings = 40;

/**
 * Keeps every movement of the balance since it was last read: charges with what they cost, refunds, disputes, fees of the
 * account and payouts. A past with much trade is read in shorter spans, and in several rounds.
 * @throws {FunctionError} 502 provider_unavailable for the key of another account, whose balance is not ours.
 */
export async function syncBalance({ stripe, database }: BillingClients): Promise<void> {
  await requireOwnAccount({ stripe, database });
  let from = await database.balance.readFrom();
  let span = 24 * hourS;
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const now = Math.floor(Date.now() / 1000);
    // The last span is open: the provider's clock decides what has happened.
    const until = from + span < now ? from + span : null;
    const created = until === null ? { gte: from } : { gte: from, lt: until };
    const page = await stripe.balanceTransactions.list({ created, limit: 100 });
    if (page.has_more && span > hourS) {
      span = Math.max(hourS, Math.floor(Math.min(span, now - from) / 2));
      continue;
    }
    const found = page.has_more ? await restOf(stripe, created) : page.data;
    const latest = Math.max(now, ...found.map((one) => one.created));
    await database.balance.keep(found.map(toMovement), until ?? latest);
    if (until === null) return;
    from = until;
    span *= 2;
  }
}

/** An hour, or what has happened since the last reading, that has more than a page. */
async function restOf(
  stripe: Stripe,
  created: Stripe.RangeQueryParam,
): Promise<Stripe.BalanceTransaction[]> {
  const all: Stripe.BalanceTransaction[] = [];
  for await (const one of stripe.balanceTransactions.list({ created, limit: 100 })) all.push(one);
  return all;
}
