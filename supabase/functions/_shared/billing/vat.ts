import type Stripe from "stripe";
import { z } from "zod";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { BillingDatabase } from "./billing-database.ts";
import { requireOwnAccount } from "./prices.ts";
import { isInvalidRequest } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

const setting = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("none") }),
  z.object({
    mode: z.enum(["fixed", "stripe_tax"]),
    rate_basis_points: z.number(),
    tax_rate_id: z.string().nullable(),
  }),
]);

/** How the provider taxes a subscription. */
export type SubscriptionTax =
  { kind: "none" } | { kind: "rate"; taxRate: string } | { kind: "automatic" };

/** Where a customer lives, for a rate that depends on it. */
export interface CustomerAddress {
  country: string;
  postal_code: string;
}

/**
 * How subscriptions are taxed now. The rate is made at the provider when it is needed first, and never in another account,
 * because its id is kept.
 * @throws {FunctionError} 502 provider_unavailable for the key of another account.
 */
export async function currentTax(
  stripe: Stripe,
  service: DatabaseClient,
): Promise<SubscriptionTax> {
  const vat = setting.parse(await callRpc(service, "billing_vat", {}));
  if (vat.mode === "none") return { kind: "none" };
  if (vat.mode === "stripe_tax") return { kind: "automatic" };
  if (vat.tax_rate_id !== null) return { kind: "rate", taxRate: vat.tax_rate_id };
  await requireOwnAccount({ stripe, database: new BillingDatabase(service) });
  const percentage = vat.rate_basis_points / 100;
  const made = await stripe.taxRates.create(
    { display_name: "VAT", inclusive: true, percentage, country: "GB", tax_type: "vat" },
    { idempotencyKey: `vat-${vat.rate_basis_points}` },
  );
  const args = { rate_basis_points: vat.rate_basis_points, tax_rate: made.id };
  return {
    kind: "rate",
    taxRate: z.string().parse(await callRpc(service, "billing_record_tax_rate", args)),
  };
}

/** What taxes a new subscription. */
export function termsOfTax(tax: SubscriptionTax): Partial<Stripe.SubscriptionCreateParams> {
  if (tax.kind === "rate") return { default_tax_rates: [tax.taxRate] };
  return tax.kind === "automatic" ? { automatic_tax: { enabled: true } } : {};
}

/**
 * Tells the provider where the customer lives, when the rate depends on it.
 * @throws {FunctionError} 400 address_missing or address_unknown.
 */
export async function locateCustomer(
  stripe: Stripe,
  tax: SubscriptionTax,
  customer: string,
  address: CustomerAddress | undefined,
): Promise<void> {
  if (tax.kind !== "automatic") return;
  if (address === undefined) {
    throw new FunctionError(400, "address_missing", "Choose your country and enter your postcode.");
  }
  try {
    await stripe.customers.update(customer, {
      address: { ...address },
      tax: { validate_location: "immediately" },
    });
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
    const message = "We can't find this place. Check your country and your postcode.";
    throw new FunctionError(400, "address_unknown", message, { cause: error });
  }
}

/** True when tax is added to the price, so that the member would pay more than was shown. */
export function isTaxedOnTop({ total_taxes: taxes }: Stripe.Invoice): boolean {
  return (taxes ?? []).some(
    ({ tax_behavior: behavior, amount }) => behavior === "exclusive" && amount > 0,
  );
}

/**
 * Taxes the coming invoices of a membership as the setting says by now. Under a schedule its phases decide, until it is
 * over. A failure is only logged: the next round tries again.
 */
export async function alignTax(
  stripe: Stripe,
  tax: SubscriptionTax,
  held: Stripe.Subscription,
): Promise<void> {
  if (held.schedule !== null || held.pending_update !== null) return;
  const rates = (held.default_tax_rates ?? []).map((rate) => idOf(rate));
  const wanted = tax.kind === "rate" ? [tax.taxRate] : [];
  const isAutomatic = tax.kind === "automatic";
  if (rates.join() === wanted.join() && held.automatic_tax.enabled === isAutomatic) return;
  try {
    await stripe.subscriptions.update(held.id, {
      ...(held.automatic_tax.enabled !== isAutomatic && {
        automatic_tax: { enabled: isAutomatic },
      }),
      default_tax_rates: wanted.length === 0 ? "" : wanted,
    });
  } catch (error) {
    console.error(`the tax of ${held.id}: ${errorForLog(error)}`);
  }
}

/** The tax that a payment for an invoice includes, and its rate where the provider chose it; nulls without tax. */
export async function taxOfPayment(
  stripe: Stripe,
  invoice: Stripe.Invoice,
  paid: number,
): Promise<{ tax_pence: number | null; tax_basis_points: number | null }> {
  if (!invoice.automatic_tax.enabled) return { tax_pence: null, tax_basis_points: null };
  const taxes = invoice.total_taxes ?? [];
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  const share = invoice.total === 0 ? 0 : Math.round((paid * tax) / invoice.total);
  const [first] = taxes.filter(({ amount }) => amount !== 0);
  const rate = first?.tax_rate_details?.tax_rate;
  if (rate === undefined) return { tax_pence: share, tax_basis_points: 0 };
  const { effective_percentage: effective, percentage } = await stripe.taxRates.retrieve(rate);
  return { tax_pence: share, tax_basis_points: Math.round((effective ?? percentage) * 100) };
}
