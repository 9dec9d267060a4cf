import type Stripe from "stripe";
import { Refusal } from "./answers.ts";
import type { Caller } from "./caller.ts";
import { endWhatIsLost } from "./charges.ts";
import { ensureCustomer } from "./customers.ts";
import type { Ledger } from "./ledger.ts";
import { wrongPrice } from "./prices.ts";
import { cardRefusal, isMissing, isRefusedRequest } from "./provider.ts";
import { isLive, isOver } from "./snapshot.ts";
import {
  clientSecretOf,
  giveUp,
  isPaid,
  openSubscriptions,
  paymentOf,
  readSubscription,
} from "./subscriptions.ts";

/** How long a second call waits for the first one of the same member, and how often it looks. Milliseconds. */
const PATIENCE = 25_000;
const LOOK_EVERY = 250;

/** What the member chose. */
export interface Order {
  price: string;
  paymentMethod: string;
}

/** Paid, or paid once the member has answered the bank. */
export type Receipt = { kind: "paid" } | { kind: "needs_action"; clientSecret: string };

/** Everything a purchase is done with. */
export interface Till {
  stripe: Stripe;
  ledger: Ledger;
  /** Whether the install runs with real money. */
  isLiveMode: boolean;
}

const PAYING =
  "Another payment of yours is still being processed. Please wait a moment and try again.";
const UNSURE =
  "The payment provider did not answer in time. Please try again in a moment; you will not be charged twice.";

const onHold = () =>
  new Refusal(
    409,
    "membership_on_hold",
    "Your membership is on hold because a payment is disputed. Please contact support.",
  );
const inProgress = () => new Refusal(409, "payment_in_progress", PAYING);
const unsure = (cause: unknown) => new Refusal(502, "provider_unavailable", UNSURE, { cause });

type Begun = Extract<Awaited<ReturnType<Ledger["beginPurchase"]>>, { state: "begun" }>;

/**
 * Buys a plan: however many calls a member makes at once, and wherever one breaks off, at most one
 * subscription is live and at most one payment is taken. See docs/subsystems/billing.md for why.
 * @throws {Refusal} with the codes of docs/error-codes.md.
 */
export async function purchase(till: Till, caller: Caller, order: Order): Promise<Receipt> {
  const giveUpAt = Date.now() + PATIENCE;
  let joining: string | undefined;
  for (;;) {
    const begun = await till.ledger.beginPurchase(caller.id, order.price, joining);
    switch (begun.state) {
      case "unknown_price":
        throw new Refusal(400, "invalid_price", "This plan is not on sale.");
      case "too_many":
        throw new Refusal(429, "too_many_attempts", "Too many attempts. Please try again later.", {
          retryAfterS: 3600,
        });
      case "joined":
        return await joinedReceipt(till, begun.subscription_id);
      case "begun":
        return await run(till, caller, order, begun);
      case "busy":
        if (Date.now() > giveUpAt) throw inProgress();
        joining = begun.attempt_id;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  }
}

/** Reads off a subscription how far its purchase came; null when its payment was refused or never made. */
async function receiptOf(
  { stripe }: Till,
  subscription: Stripe.Subscription,
): Promise<Receipt | null> {
  if (isLive(subscription) || isPaid(subscription)) return { kind: "paid" };
  const [payment, clientSecret] = [paymentOf(subscription), clientSecretOf(subscription)];
  if (isOver(subscription) || payment === null || clientSecret === null) return null;
  const { status } = await stripe.paymentIntents.retrieve(payment);
  return status === "requires_action" ? { kind: "needs_action", clientSecret } : null;
}

async function joinedReceipt(till: Till, id: string): Promise<Receipt> {
  const subscription = await readSubscription(till.stripe, till.ledger, id);
  const receipt = await receiptOf(till, subscription);
  if (receipt === null) throw inProgress();
  return receipt;
}

/** One attempt from its opening to its end; whatever happens, the ledger knows how far it came. */
async function run(till: Till, caller: Caller, order: Order, begun: Begun): Promise<Receipt> {
  const { ledger } = till;
  try {
    await requireListedPrice(till, order.price);
    const customer = await ensureCustomer(till.stripe, ledger, caller);
    const live = await clearTheWay(till, customer, begun);
    if (live !== null) {
      await ledger.endAttempt(begun.attempt_id, "failed");
      const hold = await ledger.hold(live);
      if (hold === "disputed") throw onHold();
      if (hold !== null) {
        // Lost or refunded, and not ended yet: the next PAY starts anew.
        await endWhatIsLost(till, live);
        throw inProgress();
      }
      if (begun.recent.includes(live)) return { kind: "paid" };
      throw new Refusal(409, "already_subscribed", "You already have an active membership.");
    }
    const receipt = await pay(till, caller, customer, order, begun.attempt_id);
    await ledger.endAttempt(begun.attempt_id, receipt.kind);
    return receipt;
  } catch (error) {
    const outcome = error instanceof Refusal && error.status < 500 ? "failed" : "unknown";
    // When the database is what failed, the lease runs out by itself.
    await ledger.endAttempt(begun.attempt_id, outcome).catch(() => undefined);
    throw error;
  }
}

/** Nobody is charged another amount, in another currency or in another mode than the catalogue says. */
async function requireListedPrice({ stripe, ledger, isLiveMode }: Till, id: string): Promise<void> {
  const listed = (await ledger.catalogue()).find((each) => each.price_id === id && each.is_current);
  const wrong = listed === undefined ? null : await wrongPrice(stripe, listed, isLiveMode);
  if (wrong === null) return;
  const cause = new Error(`${wrong.price} ${wrong.problem}`);
  const sorry = "This plan cannot be bought at the moment. You have not been charged.";
  throw new Refusal(503, "price_mismatch", sorry, { cause });
}

/**
 * Ends what earlier attempts left unpaid.
 * @returns the live subscription that stands in the way, if there is one.
 */
async function clearTheWay(till: Till, customer: string, begun: Begun): Promise<string | null> {
  const open = await openSubscriptions(till.stripe, customer);
  const ids = new Set([...begun.leftovers, ...open.map(({ id }) => id)]);
  let live: string | null = null;
  for (const id of ids) {
    const subscription = await orNull(giveUp(till.stripe, till.ledger, id));
    if (subscription === null) continue;
    if (isLive(subscription)) live = id;
    else if (!isOver(subscription)) throw inProgress();
  }
  return live;
}

/** Null for what the provider has never heard of, such as a purchase made with another account's keys. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function pay(
  till: Till,
  caller: Caller,
  customer: string,
  order: Order,
  attempt: string,
): Promise<Receipt> {
  const { stripe, ledger } = till;
  // Nothing is charged yet: the first payment is only prepared.
  const subscription = await stripe.subscriptions.create(
    {
      customer,
      items: [{ price: order.price }],
      payment_behavior: "default_incomplete",
      payment_settings: {
        save_default_payment_method: "on_subscription",
        payment_method_types: ["card"],
      },
      metadata: { user_id: caller.id, attempt_id: attempt },
      expand: ["latest_invoice.payments"],
    },
    { idempotencyKey: attempt },
  );
  if (!(await ledger.recordSubscription(attempt, subscription.id))) {
    await giveUp(stripe, ledger, subscription.id);
    throw inProgress();
  }
  const problem = await confirm(stripe, subscription, order.paymentMethod, attempt);
  // Whatever the confirmation said or failed to say, what counts is how the subscription stands.
  const after = await readSubscription(stripe, ledger, subscription.id);
  const receipt = await receiptOf(till, after);
  if (receipt !== null) return receipt;
  const settled = await giveUp(stripe, ledger, subscription.id);
  if (isLive(settled)) return { kind: "paid" };
  if (!isOver(settled)) throw inProgress();
  throw problem ?? unsure(new Error("a confirmed payment was not made"));
}

/** Pays the first invoice. Answers what went wrong instead of throwing it. */
async function confirm(
  stripe: Stripe,
  subscription: Stripe.Subscription,
  paymentMethod: string,
  attempt: string,
): Promise<Error | null> {
  const payment = paymentOf(subscription);
  if (payment === null) return null;
  try {
    await stripe.paymentIntents.confirm(
      payment,
      { payment_method: paymentMethod, use_stripe_sdk: true },
      { idempotencyKey: `${attempt}-confirm` },
    );
    return null;
  } catch (error) {
    const declined = cardRefusal(error);
    if (declined) return new Refusal(402, "payment_declined", declined.message, { cause: error });
    if (!isRefusedRequest(error)) return unsure(error);
    return new Refusal(
      400,
      "invalid_payment_method",
      "This card cannot be used. Please enter it again.",
      { cause: error },
    );
  }
}
