import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { ListedPrice } from "./ledger.ts";
import {
  isLatestInvoicePaid,
  latestPaymentIntentOf,
  cancelImmediately,
  readSubscription,
} from "./subscriptions.ts";

/** Two presses of PAY this close together are one wish; later ones are a decision. Seconds. */
const raceWindowS = 15 * 60;

/** What was done about several live subscriptions of one customer. */
export interface ResolvedSubscriptions {
  /** Second purchases of the same plan that were ended and refunded. */
  duplicates: number;
  /** Lesser plans that were ended, with credit, because a better one is live. */
  replaced: number;
  /** Accounts a person has to look at. */
  flagged: number;
}

type Role = ListedPrice["role"];

/** The best plan among the prices of a subscription; null when no membership was ever sold at any of them. */
function roleOf(subscription: Stripe.Subscription, roles: ReadonlyMap<string, Role>): Role | null {
  const held = subscription.items.data.map(({ price }) => roles.get(price.id));
  if (held.includes("mentor")) return "mentor";
  return held.includes("student") ? "student" : null;
}

/**
 * Settles it when a customer has more than one live membership. Money is only given back for what our own
 * checkout sold twice within minutes. A plan that staff sold on top counts: the lesser one ends with credit
 * for the time that is left. Everything else is a person's to decide.
 * @param all live subscriptions, the first paid first.
 */
export async function resolveConcurrentSubscriptions(
  billing: BillingClients,
  customer: string,
  all: readonly Stripe.Subscription[],
): Promise<ResolvedSubscriptions> {
  const resolved: ResolvedSubscriptions = { duplicates: 0, replaced: 0, flagged: 0 };
  if (all.length < 2) return resolved;
  // One that is on hold gives no access, so it neither ends another nor is ended here; the hold decides about it.
  const live: Stripe.Subscription[] = [];
  for (const each of all) if ((await billing.ledger.hold(each.id)) === null) live.push(each);
  if (live.length < 2) return resolved;
  const catalogue = await billing.ledger.catalogue();
  const roles = new Map(catalogue.map(({ price_id: price, role }) => [price, role]));
  const own = new Set(await billing.ledger.ownPurchases(live.map(({ id }) => id)));
  const mentors = live.filter((each) => roleOf(each, roles) === "mentor");
  const students = live.filter((each) => roleOf(each, roles) === "student");
  if (mentors.length > 0) {
    for (const { id } of students) {
      await endReplaced(billing, customer, id);
      resolved.replaced += 1;
    }
  }
  const [kept, ...others] = mentors.length > 0 ? mentors : students;
  for (const extra of others) {
    const isRace =
      kept !== undefined &&
      own.has(kept.id) &&
      own.has(extra.id) &&
      extra.created - kept.created <= raceWindowS;
    if (isRace) {
      await endDuplicate(billing, customer, extra.id);
      resolved.duplicates += 1;
    } else {
      const detail = { kept: kept?.id, also_live: extra.id };
      if (await billing.ledger.flag(customer, "several_subscriptions", detail))
        resolved.flagged += 1;
    }
  }
  return resolved;
}

/**
 * Gives the payment of a second purchase back and ends it, on the record. The refund comes first: after a crash
 * in between, the next round still finds the subscription live and its payment refunded, and ends it for that.
 */
async function endDuplicate({ stripe, ledger }: BillingClients, customer: string, id: string) {
  const extra = await readSubscription(stripe, ledger, id);
  const payment = latestPaymentIntentOf(extra);
  if (payment !== null && isLatestInvoicePaid(extra)) await giveBack(stripe, id, payment);
  await cancelImmediately(stripe, id);
  await readSubscription(stripe, ledger, id);
  await ledger.audit(customer, "billing.duplicate_ended", { subscription_id: id });
}

/** Refunds the payment of a duplicate. One that was given back before is left as it is. */
async function giveBack(stripe: Stripe, id: string, payment: string): Promise<void> {
  try {
    await stripe.refunds.create(
      { payment_intent: payment, reason: "duplicate" },
      { idempotencyKey: `duplicate-${id}` },
    );
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "charge_already_refunded")) {
      throw error;
    }
  }
}

/** Ends the lesser plan; what was paid for and not used lowers the next invoices. */
async function endReplaced({ stripe, ledger }: BillingClients, customer: string, id: string) {
  await cancelImmediately(stripe, id, { prorate: true, invoice_now: true });
  await readSubscription(stripe, ledger, id);
  await ledger.audit(customer, "billing.replaced_ended", { subscription_id: id });
}
