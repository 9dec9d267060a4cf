import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { Member } from "../http/caller.ts";
import { syncCharge } from "./charges.ts";
import type { BegunPayment, PaymentAttempt, PaymentAttempts } from "./payment-attempts.ts";
import { ensureCustomer } from "./customers.ts";
import { cardProblem } from "./card-problem.ts";
import type { PurchaseResult } from "./purchase.ts";
import { FunctionError } from "../http/responses.ts";
import { isInvalidRequest, isResourceMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

type Begun = Extract<BegunPayment<string>, { state: "begun" }>;

/** How long a second call waits for the buyer's first one, and how often it polls. */
const joinTimeoutMs = 25_000;
const pollIntervalMs = 250;

/** The clients of a payment, and where its attempts are kept. */
export interface OneOffClients extends BillingClients {
  purchases: PaymentAttempts;
}

/** A payment for one thing: how an attempt at it is opened, and why there is none. */
export interface OneOffRequest<Refused extends string> {
  begin: (joining: string | undefined) => Promise<BegunPayment<Refused>>;
  refuse: (state: Refused) => FunctionError;
  paymentMethod: string;
}

const inProgress = () =>
  new FunctionError(
    409,
    "payment_in_progress",
    "Another payment of yours is still being processed. Please wait a moment and try again.",
  );

/**
 * Takes one payment. As with plans (docs/subsystems/billing.md), it is recorded before it is confirmed, and an earlier one is
 * cancelled before the next begins, so that at most one is taken.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function payOnce<Refused extends string>(
  clients: OneOffClients,
  caller: Member,
  request: OneOffRequest<Refused>,
): Promise<PurchaseResult> {
  const giveUpAt = Date.now() + joinTimeoutMs;
  let joining: string | undefined;
  for (;;) {
    const begun = await request.begin(joining);
    switch (begun.state) {
      case "begun":
        return await runAttempt(clients, caller, request.paymentMethod, begun);
      case "joined": {
        const intent = await clients.stripe.paymentIntents.retrieve(begun.payment_intent_id);
        const result = await resultOf(clients, intent);
        if (result === null) throw inProgress();
        return result;
      }
      case "paid":
        // A moment ago: by the first of two clicks, or with an answer that was lost.
        return { kind: "paid" };
      case "too_many": {
        const message = "Too many attempts. Please try again later.";
        throw new FunctionError(429, "too_many_attempts", message, { retryAfterS: 3600 });
      }
      case "busy":
        if (Date.now() > giveUpAt) throw inProgress();
        joining = begun.purchase_id;
        await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
        break;
      case "refused":
        throw request.refuse(begun.why);
    }
  }
}

/** Runs one attempt and records its outcome in the database. */
async function runAttempt(
  clients: OneOffClients,
  caller: Member,
  paymentMethod: string,
  begun: Begun,
): Promise<PurchaseResult> {
  const { purchases } = clients;
  try {
    for (const leftover of begun.leftovers) {
      const outcome = await finishAttempt(clients, leftover);
      if (outcome === "open") throw inProgress();
      if (outcome === "paid" && leftover.is_same) {
        await purchases.end(begun.purchase_id, "failed");
        return { kind: "paid" };
      }
    }
    const result = await createAndPay(clients, caller, paymentMethod, begun);
    await purchases.end(begun.purchase_id, result.kind);
    return result;
  } catch (error) {
    const outcome = error instanceof FunctionError && error.status < 500 ? "failed" : "unknown";
    // If the database fails here, the attempt's lease expires.
    await purchases.end(begun.purchase_id, outcome).catch(() => undefined);
    throw error;
  }
}

/** The result of a payment; null when it was declined or never made. */
async function resultOf(
  clients: BillingClients,
  intent: Stripe.PaymentIntent,
): Promise<PurchaseResult | null> {
  if (intent.status === "succeeded" && intent.latest_charge !== null) {
    await syncCharge(clients, idOf(intent.latest_charge));
    return { kind: "paid" };
  }
  const { client_secret: clientSecret } = intent;
  if (intent.status !== "requires_action" || clientSecret === null) return null;
  return { kind: "needs_action", clientSecret };
}

/** Prepares the payment, takes it and returns the result as read from the provider afterwards. */
async function createAndPay(
  clients: OneOffClients,
  caller: Member,
  paymentMethod: string,
  { purchase_id: purchase, amount, title }: Begun,
): Promise<PurchaseResult> {
  const { stripe, database, purchases } = clients;
  const customer = await ensureCustomer(stripe, database, caller);
  // Not confirmed, so nothing is charged yet.
  const { id } = await stripe.paymentIntents.create(
    {
      amount,
      currency: "gbp",
      customer,
      description: title,
      allowed_payment_method_types: ["card"],
      metadata: { user_id: caller.id, purchase_id: purchase },
    },
    { idempotencyKey: purchase },
  );
  if (!(await purchases.recordPayment(purchase, id))) {
    await cancelUnlessPaid(stripe, id);
    throw inProgress();
  }
  const problem = await stripe.paymentIntents
    .confirm(
      id,
      { payment_method: paymentMethod, use_stripe_sdk: true },
      { idempotencyKey: `${purchase}-confirm` },
    )
    .then(() => null, cardProblem);
  // The payment's state decides, because the answer to the confirmation may have been lost.
  const result = await resultOf(clients, await stripe.paymentIntents.retrieve(id));
  if (result !== null) return result;
  const after = await resultOf(clients, await cancelUnlessPaid(stripe, id));
  if (after !== null) return after;
  throw problem ?? new Error("a confirmed payment was not made");
}

/** Cancels a payment; the provider refuses that once it was made. @returns it as it is afterwards. */
async function cancelUnlessPaid(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  try {
    return await stripe.paymentIntents.cancel(id);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    return await stripe.paymentIntents.retrieve(id);
  }
}

/** Ends an attempt of the past: reads its payment when it was made, else cancels it. */
async function finishAttempt(
  clients: OneOffClients,
  { purchase_id: purchase, payment_intent_id: id }: PaymentAttempt,
): Promise<"paid" | "failed" | "open"> {
  const { stripe, purchases } = clients;
  const intent = id === null ? null : await cancelIfThere(stripe, id);
  if (intent?.status === "succeeded") {
    await resultOf(clients, intent);
    await purchases.end(purchase, "paid");
    return "paid";
  }
  if (intent !== null && intent.status !== "canceled") return "open";
  await purchases.end(purchase, "failed");
  return "failed";
}

/**
 * Ends the attempts of an account that is about to be deleted, or buys a membership with the courses in it.
 * @throws {FunctionError} while a payment is still going through.
 */
export async function endOpenPayments(clients: OneOffClients, member: Member): Promise<void> {
  for (const attempt of await clients.purchases.openOf(member.id)) {
    if ((await finishAttempt(clients, attempt)) === "open") throw inProgress();
  }
}

/** Null for a payment that does not exist at the provider, such as one made with another account's keys. */
async function cancelIfThere(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent | null> {
  try {
    return await cancelUnlessPaid(stripe, id);
  } catch (error) {
    if (isResourceMissing(error)) return null;
    throw error;
  }
}

/** Compares purchases with the provider: finishes what was left behind, and reads again what was paid. */
export async function reconcilePayments(
  clients: OneOffClients,
  attempt: (what: string, step: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const due of await clients.purchases.takeDue()) {
    await attempt(`purchase ${due.purchase_id}`, async () => {
      await finishAttempt(clients, due);
    });
  }
}
