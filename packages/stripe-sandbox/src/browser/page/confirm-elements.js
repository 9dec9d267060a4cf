import { IntegrationError } from "./errors.js";
import { confirmPayment, createMethod, paymentElementOf } from "./payments.js";
import { confirmSetup } from "./setups.js";

/** `confirmPayment` and `confirmSetup`: with what was entered in the Payment Element, or with a method that is there already. */
async function confirmWith(provider, options, kind, confirm) {
  const { elements, clientSecret = elements?.secret(), confirmParams = {}, redirect } = options;
  const isAlways = redirect !== "if_required";
  if (isAlways && typeof confirmParams.return_url !== "string") {
    throw new IntegrationError(
      `You must provide confirmParams.return_url to stripe.confirm${kind}, or redirect: "if_required".`,
    );
  }
  const params = await methodOf(provider, elements, confirmParams);
  if (params.error) return params;
  const answer = await confirm(provider, clientSecret, params);
  const intent = answer.paymentIntent ?? answer.setupIntent;
  if (answer.error || !isAlways) return answer;
  const back = new URL(confirmParams.return_url);
  const name = answer.paymentIntent ? "payment_intent" : "setup_intent";
  back.searchParams.set(name, intent.id);
  back.searchParams.set(`${name}_client_secret`, clientSecret);
  back.searchParams.set("redirect_status", intent.status === "succeeded" ? "succeeded" : "pending");
  location.assign(back);
  // The page is left.
  return await new Promise(() => undefined);
}

async function methodOf(provider, elements, { payment_method: method, payment_method_data: data }) {
  if (!elements) return { payment_method: method };
  const element = paymentElementOf(elements);
  if (element.submitted === null && elements.secret() !== undefined) {
    const { error } = await element.submit();
    if (error) return { error };
  }
  const { paymentMethod, error } = await createMethod(provider, element, data ?? {});
  return error ? { error } : { payment_method: paymentMethod.id };
}

export const confirmPaymentWith = (provider, options) =>
  confirmWith(provider, options, "Payment", confirmPayment);

export const confirmSetupWith = (provider, options) =>
  confirmWith(provider, options, "Setup", confirmSetup);
