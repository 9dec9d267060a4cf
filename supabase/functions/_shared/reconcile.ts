import type Stripe from "stripe";
import { describe } from "./answers.ts";
import type { Ledger } from "./ledger.ts";
import { isMissing } from "./provider.ts";
import { isLive, snapshotOf } from "./snapshot.ts";
import { cancelNow, giveUp, isPaid, paymentOf, readSubscription } from "./subscriptions.ts";

/** What one round did. */
export interface Round {
  /** Customers compared with the provider. */
  checked: number;
  /** Unpaid subscriptions nobody was at any more. */
  given_up: number;
  /** Second live subscriptions that were ended and refunded. */
  duplicates: number;
  /** Customers of deleted accounts that were deleted at the provider. */
  departed: number;
  /** Customers that could not be compared; the next round tries them again. */
  failed: number;
}

interface Work {
  stripe: Stripe;
  ledger: Ledger;
}

/** Compares those customers that need it with the provider and repairs what differs. */
export async function reconcile(work: Work, everybody: boolean, batch: number): Promise<Round> {
  const round: Round = { checked: 0, given_up: 0, duplicates: 0, departed: 0, failed: 0 };
  const attempt = async (what: string, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      round.failed += 1;
      console.error(`billing-reconcile: ${what}: ${describe(error)}`);
    }
  };
  for (const due of await work.ledger.takeDue(everybody, batch)) {
    await attempt(due.customer_id, async () => {
      await compare(work, due.customer_id, new Set(due.fresh_attempts), round);
      round.checked += 1;
    });
  }
  for (const customer of await work.ledger.departed()) {
    await attempt(customer, async () => {
      await removeCustomer(work, customer);
      round.departed += 1;
    });
  }
  await work.ledger.purge();
  return round;
}

async function compare(
  { stripe, ledger }: Work,
  customer: string,
  fresh: ReadonlySet<string>,
  round: Round,
): Promise<void> {
  const ticket = await ledger.drawTicket();
  if (ticket === null) throw new Error("a reading without an event has no earlier effect");
  const live: Stripe.Subscription[] = [];
  for (const found of await allSubscriptions(stripe, customer)) {
    let subscription = found;
    if (found.status === "incomplete" && !fresh.has(found.metadata["attempt_id"] ?? "")) {
      subscription = await giveUp(stripe, ledger, found.id);
      round.given_up += 1;
    } else await ledger.apply(ticket, snapshotOf(found));
    if (isLive(subscription)) live.push(subscription);
  }
  if (live.length === 0 && (await isGone(stripe, customer))) {
    await ledger.dropCustomer(customer);
    return;
  }
  // The one that was paid first stays.
  live.sort((a, b) => a.created - b.created);
  for (const extra of live.slice(1)) {
    await endDuplicate({ stripe, ledger }, customer, extra.id);
    round.duplicates += 1;
  }
  await ledger.closeAttempts(customer);
}

/** Nobody has more than a hundred; of those the newest matter. */
async function allSubscriptions(stripe: Stripe, customer: string): Promise<Stripe.Subscription[]> {
  try {
    const { data } = await stripe.subscriptions.list({
      customer,
      status: "all",
      limit: 100,
      expand: ["data.default_payment_method"],
    });
    return data;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** True when the provider has no such customer any more. */
async function isGone(stripe: Stripe, customer: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(customer)).deleted === true;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

/** Ends a second live subscription and gives its payment back, on the record. */
async function endDuplicate({ stripe, ledger }: Work, customer: string, id: string): Promise<void> {
  await cancelNow(stripe, id);
  const ended = await readSubscription(stripe, ledger, id);
  const payment = paymentOf(ended);
  if (payment !== null && isPaid(ended)) {
    await stripe.refunds.create(
      { payment_intent: payment, reason: "duplicate" },
      { idempotencyKey: `duplicate-${id}` },
    );
  }
  await ledger.audit(customer, "billing.duplicate_ended", { subscription_id: id });
}

async function removeCustomer({ stripe, ledger }: Work, customer: string): Promise<void> {
  try {
    await stripe.customers.del(customer);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await ledger.forgetDeparted(customer);
}
