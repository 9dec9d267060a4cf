import { CardElement } from "./card-element.js";
import { showChallenge } from "./challenge.js";
import { IntegrationError } from "./errors.js";
import { PaymentElement } from "./payment-element.js";
import { callApi } from "./requests.js";

export function splitSecret(clientSecret, method, prefix = "pi") {
  const pattern = new RegExp(`^(${prefix}_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$`);
  const match = pattern.exec(String(clientSecret));
  if (match) return match[1];
  throw new IntegrationError(
    `Invalid value for ${method} intent secret: value should be a client secret of the form \${id}_secret_\${secret}. You specified: ${String(clientSecret)}.`,
  );
}

const asIntent = ({ object, error }) => (error ? { error } : { paymentIntent: object });

export async function retrieveIntent(provider, clientSecret) {
  const id = splitSecret(clientSecret, "stripe.retrievePaymentIntent");
  const params = { client_secret: clientSecret };
  return asIntent(await callApi(provider, "GET", `payment_intents/${id}`, params));
}

/** The Payment Element of a group, once its values were checked. */
export function paymentElementOf(elements) {
  const element = elements.getElement("payment");
  if (element) return element;
  throw new IntegrationError(
    "Invalid value for elements: it should have a mounted Payment Element.",
  );
}

/** Resolves to `{ paymentMethod }` or `{ error }`. */
export async function createMethod(provider, element, rest) {
  if (element instanceof PaymentElement && element.submitted === null) {
    throw new IntegrationError(
      "elements.submit() must be called, and succeed, before the values of the Payment Element are used.",
    );
  }
  if (!(element instanceof CardElement) && !(element instanceof PaymentElement)) {
    throw new IntegrationError(
      "Invalid value for createPaymentMethod: card should be a card Element or a token.",
    );
  }
  const { object, error } = await element.create("payment_method", { type: "card", ...rest });
  return error ? { error } : { paymentMethod: object };
}

/** Handles the intent's `next_action` and resolves to the intent afterwards. */
export async function handleAction(provider, clientSecret) {
  const before = await retrieveIntent(provider, clientSecret);
  if (before.error || before.paymentIntent.status !== "requires_action") return before;
  const { next_action: action } = before.paymentIntent;
  const url = action?.use_stripe_sdk?.stripe_js ?? action?.redirect_to_url?.url;
  if (!url) return before;
  await showChallenge(url);
  const after = await retrieveIntent(provider, clientSecret);
  if (after.error) return after;
  const { last_payment_error: failure } = after.paymentIntent;
  if (after.paymentIntent.status === "requires_payment_method" && failure) {
    return { error: { ...failure, payment_intent: after.paymentIntent } };
  }
  return after;
}

export async function methodFor(provider, given) {
  if (given === undefined || typeof given === "string") return { id: given };
  const { card, ...rest } = given;
  if (card instanceof CardElement) {
    const { paymentMethod, error } = await createMethod(provider, card, rest);
    return error ? { error } : { id: paymentMethod.id };
  }
  const params = { type: "card", card, ...rest };
  const { object, error } = await callApi(provider, "POST", "payment_methods", params);
  return error ? { error } : { id: object.id };
}

/** `confirmCardPayment`: pays with the given method, or continues a payment that requires an action. */
export async function confirmPayment(provider, clientSecret, data = {}, options = {}) {
  const id = splitSecret(clientSecret, "stripe.confirmCardPayment");
  const method = await methodFor(provider, data.payment_method);
  if (method.error) return { error: method.error };
  if (method.id === undefined) {
    const current = await retrieveIntent(provider, clientSecret);
    if (current.error) return current;
    if (current.paymentIntent.status === "requires_action") {
      return options.handleActions === false ? current : await handleAction(provider, clientSecret);
    }
  }
  const confirmed = asIntent(
    await callApi(provider, "POST", `payment_intents/${id}/confirm`, {
      client_secret: clientSecret,
      payment_method: method.id,
      setup_future_usage: data.setup_future_usage,
      use_stripe_sdk: true,
    }),
  );
  if (confirmed.error || confirmed.paymentIntent.status !== "requires_action") return confirmed;
  return options.handleActions === false ? confirmed : await handleAction(provider, clientSecret);
}
