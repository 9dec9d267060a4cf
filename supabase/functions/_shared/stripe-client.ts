import { Stripe } from "stripe";
import { setting, type Deps } from "./deps.ts";

/** One try; a lost answer is asked for again under the same idempotency key. Milliseconds. */
const requestTimeoutMs = 10_000;
const maxRetries = 2;

/** Where STRIPE_API_BASE points instead of the card provider's own address. */
function baseOptions(base: string | undefined): Stripe.StripeConfig {
  if (base === undefined || base === "") return {};
  const { hostname, port, protocol } = new URL(base);
  const secure = protocol === "https:";
  return {
    host: hostname,
    port: port === "" ? (secure ? 443 : 80) : Number(port),
    protocol: secure ? "https" : "http",
  };
}

/** True when the install runs with real money, which its secret key says. */
export function isLiveMode(deps: Deps): boolean {
  return /^(?:sk|rk)_live_/.test(setting(deps, "STRIPE_SECRET_KEY"));
}

/** The card provider's official client. */
export function stripeClient(deps: Deps): Stripe {
  return new Stripe(setting(deps, "STRIPE_SECRET_KEY"), {
    ...baseOptions(deps.env["STRIPE_API_BASE"]),
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: maxRetries,
    timeout: requestTimeoutMs,
    telemetry: false,
  });
}

/** True when the object named in the request's path or parameters does not exist at the provider. */
export function isResourceMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}

/** The refusal of a card, whose message is written for cardholders; undefined for any other error. */
export function cardErrorOf(error: unknown): Stripe.errors.StripeCardError | undefined {
  return error instanceof Stripe.errors.StripeCardError ? error : undefined;
}

/** True when the provider understood the request and refused to carry it out. */
export function isInvalidRequest(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** True for everything the provider's client throws. */
export function isStripeError(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError;
}
