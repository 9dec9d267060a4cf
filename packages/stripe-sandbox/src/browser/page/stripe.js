import { CardElement } from "./card-element.js";
import { IntegrationError } from "./errors.js";
import { confirmPayment, createMethod, handleAction, retrieveIntent } from "./payments.js";
import { callApi } from "./requests.js";
import { confirmSetup, retrieveSetup } from "./setups.js";

/** Where the sandbox is served, from this script's own address. */
const base = document.currentScript.src.replace(/\/v3\/?(?:\?.*)?$/, "");

function createElements(provider, initialOptions = {}) {
  const existing = new Map();
  let shared = { ...initialOptions };
  const typeOf = (given) =>
    typeof given === "string" ? given : Reflect.get(given ?? {}, "__elementType");
  return {
    create(type, options = {}) {
      if (type !== "card") {
        throw new IntegrationError(
          `The offline card sandbox has no Element of type ${String(type)}; it has card.`,
        );
      }
      if (existing.has(type)) {
        throw new IntegrationError(`Can only create one Element of type ${type}.`);
      }
      const element = new CardElement(provider, options, () => existing.delete(type));
      existing.set(type, element);
      return element;
    },
    getElement: (type) => existing.get(typeOf(type)) ?? null,
    update(options) {
      shared = { ...shared, ...options };
    },
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
}

async function createPaymentMethod(provider, first, element, data) {
  if (first === "card") return await createMethod(provider, element, data ?? {});
  if (first?.elements) {
    const card = first.elements.getElement("card");
    return await createMethod(provider, card, first.params ?? {});
  }
  if (first?.type !== "card") {
    throw new IntegrationError("The offline card sandbox makes payment methods of type card only.");
  }
  const { card, type, ...rest } = first;
  if (card instanceof CardElement) return await createMethod(provider, card, rest);
  const params = { type, card, ...rest };
  const { object, error } = await callApi(provider, "POST", "payment_methods", params);
  return error ? { error } : { paymentMethod: object };
}

/** The sandbox's replacement for Stripe.js. */
function Stripe(publishableKey) {
  if (typeof publishableKey !== "string") {
    throw new IntegrationError("Missing value for Stripe(): apiKey should be a string.");
  }
  if (publishableKey.startsWith("sk_")) {
    throw new IntegrationError(
      "You should not use your secret key with Stripe.js. Please pass a publishable key instead.",
    );
  }
  if (publishableKey === "") {
    throw new IntegrationError(
      "Please call Stripe() with your publishable key. You used an empty string.",
    );
  }
  const provider = { base, publishableKey };
  return {
    elements: (options) => createElements(provider, options),
    createToken: async (element, data = {}) => {
      const params = data.name ? { card: { name: data.name } } : {};
      const { object, error } = await element.create("token", params);
      return error ? { error } : { token: object };
    },
    createPaymentMethod: (first, element, data) =>
      createPaymentMethod(provider, first, element, data),
    confirmCardPayment: (clientSecret, data, options) =>
      confirmPayment(provider, clientSecret, data, options),
    confirmCardSetup: (clientSecret, data, options) =>
      confirmSetup(provider, clientSecret, data, options),
    retrieveSetupIntent: (clientSecret) => retrieveSetup(provider, clientSecret),
    handleCardAction: (clientSecret) => handleAction(provider, clientSecret),
    handleNextAction: ({ clientSecret }) => handleAction(provider, clientSecret),
    retrievePaymentIntent: (clientSecret) => retrieveIntent(provider, clientSecret),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

/** The release train the pinned loader asks for. */
Stripe.version = "endive";
window.Stripe = Stripe;
