import { CardElement } from "./card-element.js";
import { confirmPaymentWith, confirmSetupWith } from "./confirm-elements.js";
import { IntegrationError } from "./errors.js";
import { PaymentElement } from "./payment-element.js";
import {
  confirmPayment,
  createMethod,
  handleAction,
  paymentElementOf,
  retrieveIntent,
} from "./payments.js";
import { callApi } from "./requests.js";
import { confirmSetup, handleSetupAction, retrieveSetup } from "./setups.js";

/** Where the sandbox is served, from this script's own address. */
const base = document.currentScript.src.replace(/\/v3\/?(?:\?.*)?$/, "");

/** What a group without a client secret says of the payment to come. */
function checkIntended({ mode, amount, currency, clientSecret, allowedPaymentMethodTypes }) {
  if (clientSecret !== undefined) return;
  const needsAmount = mode === "payment" || mode === "subscription";
  if (!needsAmount && mode !== "setup") {
    throw new IntegrationError(
      "The Payment Element needs a clientSecret, or a mode: payment, setup or subscription.",
    );
  }
  if (needsAmount && !(Number.isInteger(amount) && amount >= 0)) {
    throw new IntegrationError(
      "Invalid value for elements(): amount should be a positive integer.",
    );
  }
  if (!/^[a-z]{3}$/.test(String(currency))) {
    throw new IntegrationError("Invalid value for elements(): currency should be like gbp.");
  }
  if (allowedPaymentMethodTypes && !allowedPaymentMethodTypes.includes("card")) {
    throw new IntegrationError("The offline card sandbox has payment methods of type card only.");
  }
}

function createElements(provider, initialOptions = {}) {
  const existing = new Map();
  let shared = { ...initialOptions };
  const typeOf = (given) =>
    typeof given === "string" ? given : Reflect.get(given ?? {}, "__elementType");
  return {
    create(type, options = {}) {
      if (type !== "card" && type !== "payment") {
        throw new IntegrationError(
          `The offline card sandbox has no Element of type ${String(type)}; it has card and payment.`,
        );
      }
      if (existing.has(type)) {
        throw new IntegrationError(`Can only create one Element of type ${type}.`);
      }
      if (type === "payment") checkIntended(shared);
      const onDestroy = () => existing.delete(type);
      const element =
        type === "card"
          ? new CardElement(provider, options, onDestroy)
          : new PaymentElement(provider, options, onDestroy, () => shared);
      existing.set(type, element);
      return element;
    },
    getElement: (type) => existing.get(typeOf(type)) ?? null,
    update(options) {
      shared = { ...shared, ...options };
      existing.get("payment")?.update({});
    },
    fetchUpdates: async () => ({}),
    submit: async () => (await existing.get("payment")?.submit()) ?? {},
    /** The sandbox's own. */
    secret: () => shared.clientSecret,
    isManual: () => shared.paymentMethodCreation === "manual",
  };
}

async function createPaymentMethod(provider, first, element, data) {
  if (first === "card") return await createMethod(provider, element, data ?? {});
  if (first?.elements) {
    const { elements, params = {} } = first;
    const card = elements.getElement("card");
    if (card) return await createMethod(provider, card, params);
    if (!elements.isManual()) {
      throw new IntegrationError(
        'stripe.createPaymentMethod needs elements with paymentMethodCreation: "manual".',
      );
    }
    return await createMethod(provider, paymentElementOf(elements), params);
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
    confirmPayment: (options) => confirmPaymentWith(provider, options),
    confirmSetup: (options) => confirmSetupWith(provider, options),
    confirmCardPayment: (clientSecret, data, options) =>
      confirmPayment(provider, clientSecret, data, options),
    confirmCardSetup: (clientSecret, data, options) =>
      confirmSetup(provider, clientSecret, data, options),
    retrieveSetupIntent: (clientSecret) => retrieveSetup(provider, clientSecret),
    handleCardAction: (clientSecret) => handleAction(provider, clientSecret),
    handleNextAction: ({ clientSecret }) =>
      String(clientSecret).startsWith("seti_")
        ? handleSetupAction(provider, clientSecret)
        : handleAction(provider, clientSecret),
    retrievePaymentIntent: (clientSecret) => retrieveIntent(provider, clientSecret),
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
}

/** The release train the pinned loader asks for. */
Stripe.version = "endive";
window.Stripe = Stripe;
