import { Stripe } from "stripe";
import { requireEnv, type Deps } from "../deps.ts";

/** Timeout of one try. Retries use the same idempotency key. */
const requestTimeoutMs = 10_000;
const maxRetries = 2;

/** Client options for STRIPE_API_BASE, which replaces the provider's own address. */
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

/** True when the secret key is a live key, so payments move real money. */
export function isLiveMode(deps: Deps): boolean {
  return /^(?:sk|rk)_live_/.test(requireEnv(deps, "STRIPE_SECRET_KEY"));
}

/** The card provider's official client. */
export function stripeClient(deps: Deps): Stripe {
  return new Stripe(requireEnv(deps, "STRIPE_SECRET_KEY"), {
    ...baseOptions(deps.env["STRIPE_API_BASE"]),
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: maxRetries,
    timeout: requestTimeoutMs,
    telemetry: false,
  });
}

/** True when an object named in the request does not exist at the provider (`resource_missing`). */
export function isResourceMissing(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing"
  );
}

/** What a reading gives, or `otherwise` when what it names does not exist at the provider. */
export async function orWhenMissing<T, U>(reading: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await reading;
  } catch (error) {
    if (isResourceMissing(error)) return otherwise;
    throw error;
  }
}

/** The error of a declined card, whose message is written for cardholders; undefined for any other error. */
export function cardErrorOf(error: unknown): Stripe.errors.StripeCardError | undefined {
  return error instanceof Stripe.errors.StripeCardError ? error : undefined;
}

/** True when the provider refused the request as invalid. */
export function isInvalidRequest(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError;
}

/** True when a restricted key lacks the permission for what was asked. */
export function isPermissionMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripePermissionError;
}

/** True when the provider failed itself (5xx), after it may have done what was asked. */
export function isServerError(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeAPIError && (error.statusCode ?? 0) >= 500;
}

/** True when the provider gave no answer, or only its own error, after all tries. */
export function isProviderAway(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeConnectionError || isServerError(error);
}

/**
 * True when the provider refused a request because of its coupon or promotion code. That a code is for customers without
 * an earlier payment, Stripe says in the message alone, with neither `param` nor `code`.
 */
export function isDiscountRefused(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeInvalidRequestError &&
    (/^(?:discounts|coupon|promotion_code)/.test(error.param ?? error.code ?? "") ||
      /promotion code|prior transactions/i.test(error.message))
  );
}

/** True for everything the provider's client throws. */
export function isStripeError(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError;
}
