import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { ListedPrice } from "./billing-database.ts";
import {
  isLatestInvoicePaid,
  latestPaymentIntentOf,
  cancelImmediately,
  readSubscription,
} from "./subscriptions.ts";

/** Two purchases of one plan within this time are treated as an accident, later ones as intended. */
const raceWindowS = 15 * 60;

/** What was done about a customer's concurrent subscriptions. */
export interface ResolvedSubscriptions {
  /** Second purchases of the same plan that were ended and refunded. */
  duplicates: number;
  /** Student plans that were ended, with credit, because a mentor plan is active. */
  replaced: number;
  /** Accounts flagged for review by staff. */
  flagged: number;
}

type Role = ListedPrice["role"];

/** The highest role among a subscription's prices; null when none of them is a membership's. */
function roleOf(subscription: Stripe.Subscription, roles: ReadonlyMap<string, Role>): Role | null {
  const held = subscription.items.data.map(({ price }) => roles.get(price.id));
  if (held.includes("mentor")) return "mentor";
  return held.includes("student") ? "student" : null;
}

/**
 * Resolves a customer's concurrent active memberships. A second purchase of the same plan in the checkout within
 * minutes is refunded. A student plan beside a mentor plan ends with credit for the remaining time. Every other case is
 * flagged for staff.
 * @param all active subscriptions, oldest first.
 */
export async function resolveConcurrentSubscriptions(
  billing: BillingClients,
  customer: string,
  all: readonly Stripe.Subscription[],
): Promise<ResolvedSubscriptions> {
  const resolved: ResolvedSubscriptions = { duplicates: 0, replaced: 0, flagged: 0 };
  if (all.length < 2) return resolved;
  // A subscription on hold gives no access, so it is left out.
  const live: Stripe.Subscription[] = [];
  for (const each of all) if ((await billing.database.hold(each.id)) === null) live.push(each);
  if (live.length < 2) return resolved;
  const catalogue = await billing.database.catalogue();
  const roles = new Map(catalogue.map(({ price_id: price, role }) => [price, role]));
  const own = new Set(await billing.database.ownPurchases(live.map(({ id }) => id)));
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
      if (await billing.database.flag(customer, "several_subscriptions", detail))
        resolved.flagged += 1;
    }
  }
  return resolved;
}

/**
 * Refunds and ends a second purchase, and audits it. The refund comes first: after a crash in between, the next round
 * finds an active subscription with a refunded payment and ends it.
 */
async function endDuplicate({ stripe, database }: BillingClients, customer: string, id: string) {
  const extra = await readSubscription(stripe, database, id);
  const payment = latestPaymentIntentOf(extra);
  if (payment !== null && isLatestInvoicePaid(extra)) await refundPayment(stripe, id, payment);
  await cancelImmediately(stripe, id);
  await readSubscription(stripe, database, id);
  await database.audit(customer, "billing.duplicate_ended", { subscription_id: id });
}

/** Refunds the payment of a duplicate, unless it is refunded already. */
async function refundPayment(stripe: Stripe, id: string, payment: string): Promise<void> {
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

/** Ends the student plan; unused time is credited to later invoices. */
async function endReplaced({ stripe, database }: BillingClients, customer: string, id: string) {
  await cancelImmediately(stripe, id, { prorate: true, invoice_now: true });
  await readSubscription(stripe, database, id);
  await database.audit(customer, "billing.replaced_ended", { subscription_id: id });
}
