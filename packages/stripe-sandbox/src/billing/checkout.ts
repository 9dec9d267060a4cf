import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { expandableId } from "../ids.ts";
import { createCustomer } from "../resources/customers.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { payIntentAndUpdateInvoice } from "./collect.ts";
import { createIntent } from "./pay-intent.ts";
import { attachMethod, resolveMethod } from "./payment-methods.ts";
import { startSubscription } from "./start-subscription.ts";

/** Ends a session that nobody has paid. */
export function expireCheckout(state: SandboxState, id: string): Stripe.Checkout.Session {
  const session = state.get("checkoutSessions", id);
  if (session.status !== "open") {
    throw invalidRequest(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Session has a status of "${session.status ?? ""}".`,
    );
  }
  const changes = { status: "expired" as const, url: null };
  return state.update("checkoutSessions", id, changes, "checkout.session.expired");
}

/**
 * Pays a session with a test card, as its page does. A card whose bank asks is refused there.
 * @throws {StripeApiError} 402 when the card is declined; the session stays open.
 */
export function payCheckout(
  state: SandboxState,
  id: string,
  card: string,
): Stripe.Checkout.Session {
  const session = state.get("checkoutSessions", id);
  if (session.status !== "open") throw invalidRequest("This page is over.");
  const bought =
    session.mode === "payment" ? payOnce(state, session, card) : subscribe(state, session, card);
  const customer = state.find("customers", expandableId(bought.customer));
  const changes: Partial<Stripe.Checkout.Session> = {
    ...bought,
    customer_details: {
      address: null,
      business_name: null,
      email: customer?.email ?? session.customer_email,
      individual_name: null,
      name: customer?.name ?? null,
      phone: null,
      tax_exempt: "none",
      tax_ids: [],
    },
    payment_status: "paid",
    status: "complete",
    url: null,
  };
  return state.update("checkoutSessions", id, changes, "checkout.session.completed");
}

type Bought = Partial<Stripe.Checkout.Session> & { customer: string | null };

function payOnce(state: SandboxState, session: Stripe.Checkout.Session, card: string): Bought {
  const customer = expandableId(session.customer) || null;
  const intent = createIntent(
    state,
    {
      amount: session.amount_total ?? 0,
      currency: session.currency ?? "gbp",
      customer,
      description: null,
      paymentMethod: null,
      metadata: {},
      setupFutureUsage: null,
    },
    null,
  );
  const { id: method } = resolveMethod(state, card);
  const result = payIntentAndUpdateInvoice(state, intent.id, method, { offSession: true });
  if (result.kind === "failed") throw result.error;
  return { customer, payment_intent: intent.id };
}

function subscribe(state: SandboxState, session: Stripe.Checkout.Session, card: string): Bought {
  const email = session.customer_email;
  const customer =
    expandableId(session.customer) || createCustomer(state, email === null ? {} : { email }).id;
  const { id: method } = attachMethod(state, resolveMethod(state, card).id, customer);
  const items = state.tables.checkoutItems.get(session.id) ?? [];
  const subscription = startSubscription(state, {
    customer,
    items: items.map(({ price, quantity }) => ({
      price: price?.id ?? "",
      quantity: quantity ?? 1,
      metadata: {},
    })),
    paymentBehavior: "error_if_incomplete",
    defaultPaymentMethod: method,
    saveDefaultMethod: true,
    offSession: false,
    cancelAtPeriodEnd: false,
    description: null,
    metadata: {},
    discounts: [],
    automaticTax: false,
    taxRates: [],
    trialEnd: null,
    withoutCardAtTrialEnd: "create_invoice",
  });
  const invoice = expandableId(subscription.latest_invoice);
  return { customer, subscription: subscription.id, invoice };
}
