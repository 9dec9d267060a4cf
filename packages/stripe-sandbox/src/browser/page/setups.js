import { showChallenge } from "./challenge.js";
import { methodFor, splitSecret } from "./payments.js";
import { callApi } from "./requests.js";

const asSetup = ({ object, error }) => (error ? { error } : { setupIntent: object });

export async function retrieveSetup(provider, clientSecret) {
  const id = splitSecret(clientSecret, "stripe.retrieveSetupIntent", "seti");
  const params = { client_secret: clientSecret };
  return asSetup(await callApi(provider, "GET", `setup_intents/${id}`, params));
}

/** Handles the `next_action` of a setup and resolves to the setup afterwards. */
export async function handleSetupAction(provider, clientSecret) {
  const before = await retrieveSetup(provider, clientSecret);
  if (before.error || before.setupIntent.status !== "requires_action") return before;
  const { setupIntent: setup } = before;
  const { next_action: action } = setup;
  const url = action?.use_stripe_sdk?.stripe_js ?? action?.redirect_to_url?.url;
  if (!url) return { setupIntent: setup };
  await showChallenge(url);
  const after = await retrieveSetup(provider, clientSecret);
  if (after.error) return after;
  const { last_setup_error: failure } = after.setupIntent;
  if (after.setupIntent.status === "requires_payment_method" && failure) {
    return { error: { ...failure, setup_intent: after.setupIntent } };
  }
  return after;
}

/** `confirmCardSetup`: saves the given card, or continues a setup that requires an action. */
export async function confirmSetup(provider, clientSecret, data = {}, options = {}) {
  const id = splitSecret(clientSecret, "stripe.confirmCardSetup", "seti");
  const method = await methodFor(provider, data.payment_method);
  if (method.error) return { error: method.error };
  if (method.id === undefined) {
    const current = await retrieveSetup(provider, clientSecret);
    if (current.error || current.setupIntent.status === "requires_action") {
      if (current.error || options.handleActions === false) return current;
      return await handleSetupAction(provider, clientSecret);
    }
  }
  const confirmed = asSetup(
    await callApi(provider, "POST", `setup_intents/${id}/confirm`, {
      client_secret: clientSecret,
      payment_method: method.id,
      use_stripe_sdk: true,
    }),
  );
  if (confirmed.error || confirmed.setupIntent.status !== "requires_action") return confirmed;
  if (options.handleActions === false) return confirmed;
  return await handleSetupAction(provider, clientSecret);
}
