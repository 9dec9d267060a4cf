import type Stripe from "stripe";
import type { CheckAnswer, Warning } from "./check-answer.ts";

/** Path of the function that takes the card provider's events. */
const webhookPath = "/functions/v1/stripe-webhook";
/** Versions before this one put what the webhook reads elsewhere. */
const oldestApiVersion = "2025-03-31";

/** Events that change something here; `*` stands for every one of that object. See docs/subsystems/billing.md. */
const neededEvents = [
  "customer.subscription.*",
  "customer.deleted",
  "subscription_schedule.*",
  "charge.succeeded",
  "charge.refunded",
  "charge.dispute.*",
  "refund.*",
  "invoice.finalized",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
] as const;

/** The events behind each `*` that must be subscribed to. */
const eventsOfObject: Readonly<Record<string, readonly string[]>> = {
  "customer.subscription.*": ["created", "updated", "deleted", "paused", "resumed"].map(
    (name) => `customer.subscription.${name}`,
  ),
  "subscription_schedule.*": ["created", "updated", "released", "canceled", "completed"].map(
    (name) => `subscription_schedule.${name}`,
  ),
  "charge.dispute.*": ["created", "updated", "closed", "funds_withdrawn", "funds_reinstated"].map(
    (name) => `charge.dispute.${name}`,
  ),
  "refund.*": ["created", "updated", "failed"].map((name) => `refund.${name}`),
};

/** True when nothing was learnt, because the provider could not be reached. */
export function isUnreachable(error: unknown): boolean {
  return (error as { type?: unknown } | null)?.type === "StripeConnectionError";
}

/** True when a restricted key lacks the permission for what was asked. */
function isForbidden(error: unknown): boolean {
  return (error as { type?: unknown } | null)?.type === "StripePermissionError";
}

const notAsked: Warning = {
  warning: "not looked at: the card provider cannot be reached from here",
};

/** What a reading gives; what to say instead when the provider is away or the key may not read it. */
async function asked<T extends object>(
  reading: () => Promise<T>,
  lacking: string,
): Promise<T | Warning> {
  try {
    return await reading();
  } catch (error) {
    if (isUnreachable(error)) return notAsked;
    if (isForbidden(error))
      return { warning: `not looked at: the key lacks the permission to read ${lacking}` };
    throw error;
  }
}

/**
 * Says whose account the key opens, and what the cardholder reads on the statement.
 * @throws {Error} when the account takes no payments.
 */
export async function checkAccount(retrieve: () => Promise<Stripe.Account>): Promise<CheckAnswer> {
  const account = await asked(retrieve, "the account");
  if ("warning" in account) return account;
  const name = account.settings?.dashboard.display_name ?? account.business_profile?.name ?? "";
  const who = name === "" ? account.id : `${account.id} (${name})`;
  if (!account.charges_enabled) throw new Error(`${who} takes no payments yet: finish its set-up`);
  if (!account.payouts_enabled) throw new Error(`${who} pays nothing out yet: finish its set-up`);
  const statement = account.settings?.payments.statement_descriptor ?? null;
  return statement === null
    ? { warning: `${who}, without a statement descriptor: cardholders may not know the charge` }
    : `${who}, “${statement}” on statements`;
}

/**
 * Looks for the endpoint at this install's address.
 * @throws {Error} when it is missing, off, of an old version, or not subscribed to everything that is needed.
 */
export async function checkWebhook(
  list: () => Promise<readonly Stripe.WebhookEndpoint[]>,
  publicUrl: string,
): Promise<CheckAnswer> {
  const endpoints = await asked(list, "webhook endpoints");
  if ("warning" in endpoints) return endpoints;
  const address = new URL(webhookPath, publicUrl).href;
  const endpoint = endpoints.find(({ url }) => url === address);
  if (endpoint === undefined) throw new Error(`there is no endpoint ${address}`);
  if (endpoint.status !== "enabled") throw new Error(`the endpoint ${address} is switched off`);
  const version = endpoint.api_version;
  if (version !== null && version < oldestApiVersion) {
    throw new Error(`the endpoint's version ${version} is older than ${oldestApiVersion}`);
  }
  const missing = missingEvents(endpoint.enabled_events);
  if (missing.length > 0) throw new Error(`the endpoint does not send ${missing.join(", ")}`);
  return `${address}, with everything that is needed`;
}

function missingEvents(enabled: readonly string[]): string[] {
  if (enabled.includes("*")) return [];
  return neededEvents
    .flatMap((name) => eventsOfObject[name] ?? [name])
    .filter((name) => !enabled.includes(name));
}

/** The wallets of the Payment Element, as the provider names them on a domain. */
const wallets = [
  ["apple_pay", "Apple Pay"],
  ["google_pay", "Google Pay"],
  ["link", "Link"],
] as const;

/** Says which wallets the site's domain may show. They are the owner's choice, so that none is a problem. */
export async function checkWallets(
  list: () => Promise<readonly Stripe.PaymentMethodDomain[]>,
  publicUrl: string,
): Promise<CheckAnswer> {
  const domains = await asked(list, "payment method domains");
  if ("warning" in domains) return domains;
  const { hostname } = new URL(publicUrl);
  const domain = domains.find(({ domain_name: name }) => name === hostname);
  if (domain === undefined || !domain.enabled) {
    return `none: ${hostname} is not registered for them, so that members see the card alone`;
  }
  const inactive = wallets.filter(([key]) => domain[key].status !== "active");
  if (inactive.length === 0) return `all may be shown on ${hostname}`;
  const reasons = inactive.map(([key, name]) => {
    const reason = domain[key].status_details?.error_message;
    return reason ? `${name} (${reason})` : name;
  });
  return { warning: `${hostname} is registered, but not ready for ${reasons.join(", ")}` };
}

/**
 * Reads one of everything that the product reads.
 * @returns what cannot be seen from here, to be looked at in the provider's dashboard.
 * @throws {Error} naming what the key may not read.
 */
export async function checkPermissions(
  readings: Readonly<Record<string, () => Promise<unknown>>>,
  isRestricted: boolean,
): Promise<CheckAnswer> {
  const refused: string[] = [];
  for (const [name, read] of Object.entries(readings)) {
    try {
      await read();
    } catch (error) {
      if (isUnreachable(error)) return notAsked;
      if (!isForbidden(error)) throw error;
      refused.push(name);
    }
  }
  if (refused.length > 0) throw new Error(`the key may not read ${refused.join(", ")}`);
  return isRestricted
    ? "reads everything that is needed; what it may write shows with the first payment"
    : "a secret key, which may do everything; a restricted one is safer";
}

/** Everything the product reads, by the name of the permission. */
export function readingsOf(stripe: Stripe): Record<string, () => Promise<unknown>> {
  const one = { limit: 1 };
  return {
    Customers: () => stripe.customers.list(one),
    Subscriptions: () => stripe.subscriptions.list(one),
    "Subscription schedules": () => stripe.subscriptionSchedules.list(one),
    Invoices: () => stripe.invoices.list(one),
    Charges: () => stripe.charges.list(one),
    Refunds: () => stripe.refunds.list(one),
    Disputes: () => stripe.disputes.list(one),
    "Payment intents": () => stripe.paymentIntents.list(one),
    "Setup intents": () => stripe.setupIntents.list(one),
    Coupons: () => stripe.coupons.list(one),
    "Promotion codes": () => stripe.promotionCodes.list(one),
    Prices: () => stripe.prices.list(one),
    Events: () => stripe.events.list(one),
    "Balance transactions": () => stripe.balanceTransactions.list(one),
  };
}
