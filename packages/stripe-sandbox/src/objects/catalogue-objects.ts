import type Stripe from "stripe";
import type { Interval } from "../clock.ts";

/** Decimals are sent as text; the official library parses them into its own class. */
export function decimalText(amount: number): Stripe.Decimal {
  return String(amount) as unknown as Stripe.Decimal;
}

export interface PriceInput {
  id: string;
  product: string;
  /** Minor units, pence for pounds. */
  unitAmount: number;
  currency: string;
  recurring: { interval: Interval; intervalCount: number } | null;
  nickname: string | null;
  lookupKey: string | null;
  taxBehavior?: "exclusive" | "inclusive" | "unspecified" | undefined;
  metadata: Record<string, string>;
  active: boolean;
}

export function newProduct(
  id: string,
  name: string,
  created: number,
  more: Partial<Stripe.Product> = {},
): Stripe.Product {
  return {
    id,
    object: "product",
    active: true,
    created,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: "service",
    unit_label: null,
    updated: created,
    url: null,
    ...more,
  };
}

export function newPrice(input: PriceInput, created: number): Stripe.Price {
  return {
    id: input.id,
    object: "price",
    active: input.active,
    billing_scheme: "per_unit",
    created,
    currency: input.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: input.lookupKey,
    metadata: input.metadata,
    nickname: input.nickname,
    product: input.product,
    recurring: input.recurring && {
      interval: input.recurring.interval,
      interval_count: input.recurring.intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: "licensed",
    },
    tax_behavior: input.taxBehavior ?? "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: input.recurring ? "recurring" : "one_time",
    unit_amount: input.unitAmount,
    unit_amount_decimal: decimalText(input.unitAmount),
  };
}

/** The legacy `plan` object of a subscription item. */
export function planOf(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: "plan",
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: "per_unit",
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? "month",
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** The billing interval of a recurring price. */
export function termsOf(price: Stripe.Price): { interval: Interval; intervalCount: number } {
  return {
    interval: (price.recurring?.interval ?? "month") as Interval,
    intervalCount: price.recurring?.interval_count ?? 1,
  };
}
