import type Stripe from "stripe";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import { newTaxRate } from "../objects/tax-rate-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { expandableId } from "../ids.ts";

/** Standard rates in per cent that automatic tax knows. Elsewhere nothing is collected. */
const standardRates: Readonly<Record<string, number>> = { DE: 19, FR: 20, GB: 20, IE: 23, NL: 21 };

/** What of an invoice tax decides. */
export interface InvoiceTaxes {
  automatic_tax: Stripe.Invoice["automatic_tax"];
  default_tax_rates: Stripe.TaxRate[];
  lines: Stripe.InvoiceLineItem[];
  total_taxes: Stripe.Invoice.TotalTax[];
}

/** The rates with these ids, in their order. */
export function taxRatesOf(
  state: SandboxState,
  ids: readonly string[],
  param: string,
): Stripe.TaxRate[] {
  return ids.map((id, index) => {
    const rate = state.find("taxRates", id);
    if (rate === undefined) throw resourceMissing("tax rate", id, `${param}[${index}]`);
    if (!rate.active) throw invalidRequest(`The tax rate ${id} is inactive.`, `${param}[${index}]`);
    return rate;
  });
}

/**
 * Refuses automatic tax for a customer without a country, and for prices that do not say if tax is part of them, as Stripe
 * does.
 */
export function requireTaxable(
  state: SandboxState,
  customerId: string,
  prices: readonly Stripe.Price[],
): void {
  const customer = state.get("customers", customerId);
  if (!customer.address?.country) {
    throw invalidRequest(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      "automatic_tax[enabled]",
      "customer_tax_location_invalid",
    );
  }
  if (prices.some((price) => price.tax_behavior !== "inclusive")) {
    throw invalidRequest(
      "The sandbox calculates automatic tax only for prices whose `tax_behavior` is `inclusive`.",
      "items",
    );
  }
}

/** The rates of an invoice: those of the subscription, or with automatic tax that of the customer's country. */
function ratesFor(state: SandboxState, subscription: Stripe.Subscription): Stripe.TaxRate[] {
  if (!subscription.automatic_tax.enabled) return subscription.default_tax_rates ?? [];
  const customer = state.get("customers", expandableId(subscription.customer));
  const country = customer.address?.country ?? "";
  const percentage = standardRates[country];
  if (percentage === undefined) return [];
  const id = `txr_1automatic${country}`;
  const known = state.find("taxRates", id);
  if (known !== undefined) return [known];
  const rate = newTaxRate(
    {
      id,
      displayName: "VAT",
      percentage,
      country,
      jurisdiction: country,
      description: null,
      taxType: "vat",
      active: false,
      metadata: {},
    },
    state.now(),
  );
  return [state.put("taxRates", { ...rate, jurisdiction_level: "country" })];
}

/** What of an amount is tax that it includes, rounded to the smallest unit of the currency. */
function includedIn(amount: number, percentage: number): number {
  const tax = Math.round((Math.abs(amount) * percentage) / (100 + percentage));
  return amount < 0 ? -tax : tax;
}

/** Amounts of the lines after what the discounts take off, which is spread over them by their size. */
function discounted(lines: readonly Stripe.InvoiceLineItem[], off: number): number[] {
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  let left = off;
  return lines.map(({ amount }, index) => {
    const share = index === lines.length - 1 ? left : Math.round((off * amount) / (sum || 1));
    left -= share;
    return amount - share;
  });
}

/** The taxes that lines include, line by line and together. */
export function taxesOf(
  state: SandboxState,
  subscription: Stripe.Subscription,
  lines: readonly Stripe.InvoiceLineItem[],
  off: number,
): InvoiceTaxes {
  const rates = ratesFor(state, subscription);
  const isAutomatic = subscription.automatic_tax.enabled;
  const amounts = discounted(lines, off);
  const taxOf = (amount: number, rate: Stripe.TaxRate): Stripe.Invoice.TotalTax => {
    const tax = includedIn(amount, rate.percentage);
    return {
      amount: tax,
      tax_behavior: "inclusive",
      tax_rate_details: { tax_rate: rate.id },
      taxability_reason: isAutomatic ? "standard_rated" : "not_available",
      taxable_amount: amount - tax,
      type: "tax_rate_details",
    };
  };
  const taxed = lines.map((line, index) => ({
    ...line,
    taxes: rates.map((rate) => taxOf(amounts[index] ?? 0, rate)),
  }));
  return {
    automatic_tax: {
      disabled_reason: null,
      enabled: isAutomatic,
      liability: isAutomatic ? { type: "self" } : null,
      provider: isAutomatic ? "stripe" : null,
      status: isAutomatic ? "complete" : null,
    },
    default_tax_rates: isAutomatic ? [] : rates,
    lines: taxed,
    total_taxes: rates.flatMap((_rate, place) => {
      const [first, ...more] = taxed.flatMap(({ taxes }) => taxes[place] ?? []);
      if (first === undefined) return [];
      return more.reduce(
        (sum, each) => ({
          ...sum,
          amount: sum.amount + each.amount,
          taxable_amount: (sum.taxable_amount ?? 0) + (each.taxable_amount ?? 0),
        }),
        first,
      );
    }),
  };
}
