import type Stripe from "stripe";
import type { DatabaseClient } from "../database/database-client.ts";
import type { BillingClients, BillingContext } from "./billing-context.ts";
import { syncBalance } from "./balance.ts";
import { alignDefaultCard } from "./default-card.ts";
import { errorForLog } from "../http/responses.ts";
import { syncCharges } from "./charges.ts";
import { readEvents } from "./events/read-events.ts";
import type { EventReadingDatabase } from "./event-reading-database.ts";
import { enforcePayments } from "./enforce-payments.ts";
import { syncInvoices } from "./invoices.ts";
import { reconcilePayments } from "./pay-once.ts";
import type { CoursePurchases } from "./course-purchases.ts";
import { findPriceMismatches, requireOwnAccount } from "./prices.ts";
import { GiftPurchases } from "./gifts.ts";
import { resumeDue } from "./pause.ts";
import { isProviderAway, orWhenMissing } from "./stripe-client.ts";
import {
  isMembership,
  membershipPrices,
  allSubscriptions,
  openSubscriptions,
  type MembershipPrices,
} from "./membership-subscription.ts";
import { isActiveSubscription, toSubscriptionSnapshot } from "./subscription-snapshot.ts";
import { claimsToSettle, settleClaim } from "./settle-claim.ts";
import { settleUnknownRefund } from "./settle-refunds.ts";
import { resolveConcurrentSubscriptions } from "./concurrent-subscriptions.ts";
import { abandonUnpaidSubscription, writeSubscription } from "./subscriptions.ts";
import { alignTax, currentTax, type SubscriptionTax } from "./vat.ts";
import { openWithdrawals, withdraw } from "./withdrawal.ts";

/** After so many steps in a row that the provider left without an answer, the rest waits for the next round. */
const maxUnanswered = 3;

/** Result of one round. */
export interface ReconcileResult {
  /** Objects that were read again after events of the provider's list that no webhook had told. */
  events: number;
  /** Customers compared with the provider. */
  checked: number;
  /** Unpaid subscriptions without an attempt in progress that were ended. */
  given_up: number;
  /** Second purchases of one plan that were ended and refunded. */
  duplicates: number;
  /** Lesser plans that were ended because a better one is live. */
  replaced: number;
  /** Accounts flagged for review by staff. */
  flagged: number;
  /** Prices on sale that differ at the provider. */
  wrong_prices: number;
  /** Customers of deleted accounts that were deleted at the provider. */
  departed: number;
  /** Refunds whose end was not known and was looked up. */
  settled_refunds: number;
  /** Granted claims under the guarantee whose renewal and refunds are done. */
  settled_claims: number;
  /** Customers, refunds, claims, bought courses and readings of the balance that failed; the next round tries them again. */
  failed: number;
}

/** Compares customers with the provider and repairs differences. See docs/subsystems/billing.md. */
export async function reconcile(
  billing: BillingContext & {
    purchases: CoursePurchases;
    readings: EventReadingDatabase;
    service: DatabaseClient;
  },
  everybody: boolean,
  batch: number,
): Promise<ReconcileResult> {
  const round: ReconcileResult = {
    events: 0,
    checked: 0,
    given_up: 0,
    duplicates: 0,
    replaced: 0,
    flagged: 0,
    wrong_prices: 0,
    departed: 0,
    settled_refunds: 0,
    settled_claims: 0,
    failed: 0,
  };
  let unanswered = 0;
  const isAway = () => unanswered >= maxUnanswered;
  const attempt = async (what: string, step: () => Promise<void>): Promise<void> => {
    if (isAway()) return;
    try {
      await step();
      unanswered = 0;
    } catch (error) {
      round.failed += 1;
      unanswered = isProviderAway(error) ? unanswered + 1 : 0;
      console.error(`billing-reconcile: ${what}: ${errorForLog(error)}`);
      if (isAway()) console.error("billing-reconcile: the rest waits until the provider answers");
    }
  };
  await attempt("the catalogue", async () => {
    const wrong = await findPriceMismatches(
      billing.stripe,
      await billing.database.catalogue(),
      billing.isLiveMode,
    );
    for (const { price, problem } of wrong) console.error(`billing-reconcile: ${price} ${problem}`);
    round.wrong_prices = wrong.length;
  });
  let tax: SubscriptionTax | null = null;
  await attempt("the tax rate", async () => {
    tax = await currentTax(billing.stripe, billing.service);
  });
  await attempt("events", async () => {
    const read = await readEvents(billing);
    round.events = read.applied;
    round.failed += read.failed;
    if (read.outdated > 0) {
      console.error(
        `billing-reconcile: ${read.outdated} events are of an older API version of the provider's account than is understood`,
      );
    }
  });
  const unknown: string[] = [];
  for (const due of isAway() ? [] : await billing.database.takeDue(everybody, batch)) {
    await attempt(due.customer_id, async () => {
      const fresh = new Set(due.fresh_attempts);
      const isKnown = await reconcileCustomer(billing, due.customer_id, fresh, round, tax);
      if (!isKnown) unknown.push(due.customer_id);
      round.checked += 1;
    });
  }
  await attempt("customers unknown to the provider", async () => {
    await dropUnknown(billing, unknown, round.checked);
  });
  for (const customer of isAway() ? [] : await billing.database.takeDropped(everybody, batch)) {
    await attempt(customer, async () => await restoreDropped(billing, customer, round));
  }
  const prices = await membershipPrices(billing.database);
  for (const customer of await billing.database.departed()) {
    await attempt(customer, async () => {
      const isGone = await removeCustomer(billing, customer, prices);
      if (isGone) round.departed += 1;
    });
  }
  for (const {
    request_id: request,
    payment_id: payment,
  } of await billing.database.unsettledRefunds()) {
    await attempt(`refund ${request}`, async () => {
      await settleUnknownRefund(billing, request, payment);
      round.settled_refunds += 1;
    });
  }
  for (const claim of await claimsToSettle(billing.service)) {
    await attempt(`claim ${claim}`, async () => {
      const { left, renews } = await settleClaim(billing, billing.service, claim, null);
      if (left === 0 && !renews) round.settled_claims += 1;
    });
  }
  for (const { member, purchase } of await openWithdrawals(billing.service)) {
    await attempt(`withdrawal of ${member}`, async () => {
      await withdraw(billing, billing.service, member, purchase);
    });
  }
  await attempt("pauses that are over", async () => {
    await resumeDue(billing, billing.service, attempt);
  });
  await reconcilePayments(billing, attempt);
  await reconcilePayments({ ...billing, purchases: new GiftPurchases(billing.service) }, attempt);
  await attempt("the balance", async () => await syncBalance(billing));
  await billing.database.endComplimentary();
  await billing.database.releaseCommissions();
  await billing.database.purge();
  return round;
}

/**
 * Takes the memberships of customers that the provider does not know. Many at once are no deletions but a wrong key or
 * restored data, so that nobody loses anything and the round says so.
 */
async function dropUnknown(
  billing: BillingClients,
  customers: readonly string[],
  checked: number,
): Promise<void> {
  if (customers.length === 0) return;
  await requireOwnAccount(billing);
  if (customers.length > Math.max(3, checked / 100)) {
    const some = customers.slice(0, 3).join(", ");
    throw new Error(`${customers.length} of ${checked} (${some} …): none is dropped`);
  }
  for (const customer of customers) await billing.database.dropCustomer(customer);
}

/**
 * Takes back a customer that was dropped and that the provider knows after all. Where the account has another customer by
 * now and both pay, staff decide.
 */
async function restoreDropped(
  { stripe, database }: BillingClients,
  customer: string,
  round: ReconcileResult,
): Promise<void> {
  const found = await orWhenMissing(stripe.customers.retrieve(customer), null);
  if (found === null || found.deleted) return;
  if (await database.restoreCustomer(customer)) {
    await reconcileCustomer({ stripe, database }, customer, new Set(), round);
    return;
  }
  const [live] = await openSubscriptions(stripe, customer);
  if (live === undefined) return;
  const detail = { also_live: live.id };
  if (await database.flag(customer, "several_subscriptions", detail)) round.flagged += 1;
}

/** Writes a subscription as a list had it, or as it is now when a webhook wrote something else meanwhile. */
async function writeListed(
  { stripe, database }: BillingClients,
  listed: Stripe.Subscription,
  version: number,
): Promise<Stripe.Subscription> {
  const outcome = await database.apply(version, toSubscriptionSnapshot(listed));
  if (outcome !== "overlapping") return listed;
  return (await writeSubscription(stripe, database, listed.id)) ?? listed;
}

/** Compares one customer with the provider; false when the provider does not know the customer. */
async function reconcileCustomer(
  { stripe, database }: BillingClients,
  customer: string,
  fresh: ReadonlySet<string>,
  round: ReconcileResult,
  tax: SubscriptionTax | null = null,
): Promise<boolean> {
  await syncCharges({ stripe, database }, customer);
  await syncInvoices({ stripe, database }, customer);
  const version = await database.nextVersion();
  if (version === null) throw new Error("a reading without an event has no earlier effect");
  const live: Stripe.Subscription[] = [];
  const prices = await membershipPrices(database);
  for (const found of await allSubscriptions(stripe, customer, [
    "data.customer",
    "data.default_payment_method",
    "data.schedule",
  ])) {
    if (!isMembership(found, prices)) {
      // Only written: it may have been a membership before staff gave it another price.
      await writeListed({ stripe, database }, found, version);
      continue;
    }
    let subscription = found;
    if (found.status === "incomplete" && !fresh.has(found.metadata["attempt_id"] ?? "")) {
      subscription = await abandonUnpaidSubscription(stripe, database, found.id);
      round.given_up += 1;
    } else subscription = await writeListed({ stripe, database }, found, version);
    // A crash may have happened after a refund was written and before the subscription was ended or put back.
    if (isActiveSubscription(subscription)) {
      subscription = await enforcePayments({ stripe, database }, subscription);
    }
    if (isActiveSubscription(subscription)) {
      await alignDefaultCard({ stripe, database }, subscription);
      if (tax !== null) await alignTax(stripe, tax, subscription);
      live.push(subscription);
    }
  }
  if (live.length === 0) {
    const found = await orWhenMissing(stripe.customers.retrieve(customer), null);
    if (found === null) return false;
    if (found.deleted) {
      await database.dropCustomer(customer);
      return true;
    }
  }
  // The first one bought stays.
  live.sort((a, b) => a.created - b.created);
  const resolved = await resolveConcurrentSubscriptions({ stripe, database }, customer, live);
  round.duplicates += resolved.duplicates;
  round.replaced += resolved.replaced;
  round.flagged += resolved.flagged;
  await database.closeAttempts(customer);
  return true;
}

/**
 * Deletes the customer of a deleted account, which ends every subscription at the provider: so only once the customer
 * pays for nothing but what was ours.
 * @returns false while another product's subscription keeps it.
 */
async function removeCustomer(
  { stripe, database }: BillingClients,
  customer: string,
  prices: MembershipPrices,
): Promise<boolean> {
  const open = await openSubscriptions(stripe, customer);
  if (open.some((subscription) => !isMembership(subscription, prices))) return false;
  const removed = await orWhenMissing(stripe.customers.del(customer), null);
  if (removed === null) await requireOwnAccount({ stripe, database });
  await database.forgetDeparted(customer);
  return true;
}
