import type Stripe from "stripe";
import { FunctionError } from "../http/responses.ts";
import type { BillingContext } from "./billing-context.ts";
import type { Member } from "../http/caller.ts";
import { approveCard } from "./approve-card.ts";
import { cardProblem, noAnswer } from "./card-problem.ts";
import { enforcePayments } from "./enforce-payments.ts";
import type { CodeOffer } from "./codes.ts";
import { ensureCustomer } from "./customers.ts";
import type { BillingDatabase } from "./billing-database.ts";
import { openMemberships } from "./membership-subscription.ts";
import { findPriceMismatch } from "./prices.ts";
import { isResourceMissing, isDiscountRefused } from "./stripe-client.ts";
import { isActiveSubscription, isEndedSubscription } from "./subscription-snapshot.ts";
import {
  latestClientSecretOf,
  abandonUnpaidSubscription,
  isLatestInvoicePaid,
  latestPaymentIntentOf,
  readSubscription,
} from "./subscriptions.ts";
import {
  isTaxedOnTop,
  locateCustomer,
  termsOfTax,
  type CustomerAddress,
  type SubscriptionTax,
} from "./vat.ts";

/** How long a second call waits for the member's first one, and how often it polls. */
const joinTimeoutMs = 25_000;
const pollIntervalMs = 250;

/** What the member chose. */
export interface PurchaseRequest {
  price: string;
  paymentMethod: string;
  /** What a code gives; none without one. */
  offer?: CodeOffer | undefined;
  tax: SubscriptionTax;
  /** Where the member lives; needed where the tax depends on it. */
  address?: CustomerAddress | undefined;
  /** Ends what else the member is about to pay for, once no other attempt can begin. @throws {FunctionError} when it can't. */
  endOthers: () => Promise<void>;
}

/** Paid, or waiting for the member's 3-D Secure authentication. */
export type PurchaseResult = { kind: "paid" } | { kind: "needs_action"; clientSecret: string };

/** As `PurchaseResult`, or no membership yet: the bank has to approve the card first, for payments that come later. */
export type MembershipResult = PurchaseResult | { kind: "needs_approval"; clientSecret: string };

const paymentInProgressMessage =
  "Another payment of yours is still being processed. Please wait a moment and try again.";

const onHold = () =>
  new FunctionError(
    409,
    "membership_on_hold",
    "Your membership is on hold because a payment is disputed. Please contact support.",
  );
const membershipPaused = () =>
  new FunctionError(
    409,
    "membership_paused",
    "Your membership is paused. Resume it on your membership page; nothing was charged.",
  );
/** A page that was open when the owner changed the price has the one before, and so has one whose plan is no longer sold. */
async function notOnSale({ database }: BillingContext, price: string): Promise<FunctionError> {
  const catalogue = await database.catalogue();
  const seen = catalogue.find(({ price_id: id }) => id === price);
  if (!seen) return new FunctionError(400, "invalid_price", "This plan is not on sale.");
  const isReplaced = catalogue.some(
    (each) => each.is_current && each.plan_id === seen.plan_id && each.interval === seen.interval,
  );
  return new FunctionError(
    409,
    "price_changed",
    isReplaced
      ? "The price has changed. You have not been charged. Look at the new price and pay again."
      : "This plan is no longer on sale. You have not been charged. Choose another one.",
  );
}

const inProgress = () => new FunctionError(409, "payment_in_progress", paymentInProgressMessage);
type Begun = Extract<Awaited<ReturnType<BillingDatabase["beginPurchase"]>>, { state: "begun" }>;

/**
 * Buys a plan. With any number of concurrent calls, and wherever one of them fails, at most one subscription becomes
 * active and at most one payment is taken. See docs/subsystems/billing.md for why.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function purchase(
  billing: BillingContext,
  caller: Member,
  request: PurchaseRequest,
): Promise<MembershipResult> {
  const giveUpAt = Date.now() + joinTimeoutMs;
  let joining: string | undefined;
  for (;;) {
    const begun = await billing.database.beginPurchase(caller.id, request.price, joining);
    switch (begun.state) {
      case "unknown_price":
        throw await notOnSale(billing, request.price);
      case "too_many":
        throw new FunctionError(
          429,
          "too_many_attempts",
          "Too many attempts. Please try again later.",
          {
            retryAfterS: 3600,
          },
        );
      case "joined":
        return await joinedResult(billing, begun.subscription_id);
      case "begun":
        return await runAttempt(billing, caller, request, begun);
      case "busy":
        if (Date.now() > giveUpAt) throw inProgress();
        joining = begun.attempt_id;
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    }
  }
}

/** The result of a purchase by its subscription; null when the payment was declined or never made. */
async function resultOf(
  { stripe }: BillingContext,
  subscription: Stripe.Subscription,
): Promise<PurchaseResult | null> {
  if (isActiveSubscription(subscription) || isLatestInvoicePaid(subscription))
    return { kind: "paid" };
  const [payment, clientSecret] = [
    latestPaymentIntentOf(subscription),
    latestClientSecretOf(subscription),
  ];
  if (isEndedSubscription(subscription) || payment === null || clientSecret === null) return null;
  const { status } = await stripe.paymentIntents.retrieve(payment);
  return status === "requires_action" ? { kind: "needs_action", clientSecret } : null;
}

async function joinedResult(billing: BillingContext, id: string): Promise<PurchaseResult> {
  const subscription = await readSubscription(billing.stripe, billing.database, id);
  const result = await resultOf(billing, subscription);
  if (result === null) throw inProgress();
  return result;
}

/** Runs one attempt and records its outcome in the database. */
async function runAttempt(
  billing: BillingContext,
  caller: Member,
  request: PurchaseRequest,
  begun: Begun,
): Promise<MembershipResult> {
  const { database } = billing;
  try {
    await requireListedPrice(billing, request.price);
    const customer = await ensureCustomer(billing.stripe, database, caller);
    const live = await endUnpaidSubscriptions(billing, customer, begun);
    if (live !== null) {
      await database.endAttempt(begun.attempt_id, "failed");
      const hold = await database.hold(live);
      if (hold === "disputed") throw onHold();
      if (hold === "paused") throw membershipPaused();
      if (hold !== null) {
        // Lost or refunded but not ended yet: end it, so that the next purchase can start.
        await enforcePayments(billing, await readSubscription(billing.stripe, database, live));
        throw inProgress();
      }
      if (begun.recent.includes(live)) return { kind: "paid" };
      throw new FunctionError(409, "already_subscribed", "You already have an active membership.");
    }
    await request.endOthers();
    const result = await createAndPay(billing, caller, customer, request, begun.attempt_id);
    await database.endAttempt(
      begun.attempt_id,
      result.kind === "needs_approval" ? "failed" : result.kind,
    );
    return result;
  } catch (error) {
    const outcome = error instanceof FunctionError && error.status < 500 ? "failed" : "unknown";
    // If the database fails here, the attempt's lease expires.
    await database.endAttempt(begun.attempt_id, outcome).catch(() => undefined);
    throw error;
  }
}

/** Refuses a price whose amount, currency, interval or mode at the provider differs from the catalogue. */
async function requireListedPrice(
  { stripe, database, isLiveMode }: BillingContext,
  id: string,
): Promise<void> {
  const listed = (await database.catalogue()).find(
    (each) => each.price_id === id && each.is_current,
  );
  const wrong = listed === undefined ? null : await findPriceMismatch(stripe, listed, isLiveMode);
  if (wrong === null) return;
  throw priceMismatch(new Error(`${wrong.price} ${wrong.problem}`));
}

/** The provider would charge something else than the catalogue says. */
function priceMismatch(cause: Error): FunctionError {
  const sorry = "This plan cannot be bought at the moment. You have not been charged.";
  return new FunctionError(503, "price_mismatch", sorry, { cause });
}

/**
 * Ends unpaid subscriptions of earlier attempts. What the customer pays for another product is left alone.
 * @returns the id of an active subscription, which prevents the purchase; else null.
 */
async function endUnpaidSubscriptions(
  billing: BillingContext,
  customer: string,
  begun: Begun,
): Promise<string | null> {
  const open = await openMemberships(billing, customer);
  const ids = new Set([...begun.leftovers, ...open.map(({ id }) => id)]);
  let live: string | null = null;
  for (const id of ids) {
    const subscription = await nullIfMissing(
      abandonUnpaidSubscription(billing.stripe, billing.database, id),
    );
    if (subscription === null) continue;
    if (isActiveSubscription(subscription)) live = id;
    else if (!isEndedSubscription(subscription)) throw inProgress();
  }
  return live;
}

/** Null for an object that does not exist at the provider, such as one made with another account's keys. */
async function nullIfMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isResourceMissing(error)) return null;
    throw error;
  }
}

/** Creates the subscription, pays its first invoice and returns the result as read from the provider afterwards. */
async function createAndPay(
  billing: BillingContext,
  caller: Member,
  customer: string,
  request: PurchaseRequest,
  attempt: string,
): Promise<MembershipResult> {
  const { stripe, database } = billing;
  await locateCustomer(stripe, request.tax, customer, request.address);
  const terms = await termsOfOffer(stripe, customer, request);
  if ("clientSecret" in terms) return { kind: "needs_approval", clientSecret: terms.clientSecret };
  // `default_incomplete` charges nothing yet.
  const subscription = await stripe.subscriptions
    .create(
      {
        ...terms,
        ...termsOfTax(request.tax),
        customer,
        items: [{ price: request.price }],
        payment_behavior: "default_incomplete",
        payment_settings: {
          save_default_payment_method: "on_subscription",
          payment_method_types: ["card"],
        },
        metadata: { user_id: caller.id, attempt_id: attempt },
        expand: ["latest_invoice.payments"],
      },
      { idempotencyKey: attempt },
    )
    .catch((error: unknown) => {
      const isOfCode = request.offer !== undefined && isDiscountRefused(error);
      if (isOfCode) throw codeNotUsable(error);
      throw error;
    });
  if (!(await database.recordSubscription(attempt, subscription.id))) {
    await abandonUnpaidSubscription(stripe, database, subscription.id);
    throw inProgress();
  }
  const { latest_invoice: invoice } = subscription;
  if (invoice !== null && typeof invoice === "object" && isTaxedOnTop(invoice)) {
    await abandonUnpaidSubscription(stripe, database, subscription.id);
    throw priceMismatch(new Error(`${request.price} is taxed on top at the provider`));
  }
  const problem = await confirm(stripe, subscription, request.paymentMethod, attempt);
  // The subscription's state decides, because the answer to the confirmation may have been lost.
  const after = await readSubscription(stripe, database, subscription.id);
  const result = await resultOf(billing, after);
  if (result !== null) return result;
  const current = await abandonUnpaidSubscription(stripe, database, subscription.id);
  if (isActiveSubscription(current)) return { kind: "paid" };
  if (!isEndedSubscription(current)) throw inProgress();
  throw problem ?? noAnswer(new Error("a confirmed payment was not made"));
}

/** A code that passed the check before and is refused with the subscription: restricted, or used up or over meanwhile. */
function codeNotUsable(cause: unknown): FunctionError {
  const message =
    "This code can't be used for this membership. Try another code, or join without one.";
  return new FunctionError(409, "code_not_usable", message, { cause });
}

/** What a code adds to a new subscription. Without a first payment, the card is approved for the later ones. */
async function termsOfOffer(
  stripe: Stripe,
  customer: string,
  { offer, paymentMethod }: PurchaseRequest,
): Promise<Partial<Stripe.SubscriptionCreateParams> | { clientSecret: string }> {
  if (offer === undefined) return {};
  const terms: Partial<Stripe.SubscriptionCreateParams> = {
    ...(offer.promotionCode !== null && { discounts: [{ promotion_code: offer.promotionCode }] }),
    ...(offer.trialDays !== null && { trial_period_days: offer.trialDays }),
  };
  if (offer.dueNow > 0) return terms;
  const card = await approveCard(stripe, customer, paymentMethod);
  return "clientSecret" in card ? card : { ...terms, default_payment_method: card.paymentMethod };
}

/** Pays the first invoice. Returns the error instead of throwing it. */
async function confirm(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  paymentMethod: string,
  attempt: string,
): Promise<Error | null> {
  const payment = latestPaymentIntentOf(subscription);
  if (payment === null) return null;
  try {
    await stripe.paymentIntents.confirm(
      payment,
      { payment_method: paymentMethod, use_stripe_sdk: true },
      { idempotencyKey: `${attempt}-confirm` },
    );
    return null;
  } catch (error) {
    return cardProblem(error);
  }
}
