import type Stripe from "stripe";

export interface TaxRateInput {
  id: string;
  displayName: string;
  percentage: number;
  country: string | null;
  jurisdiction: string | null;
  description: string | null;
  taxType: string | null;
  active: boolean;
  metadata: Record<string, string>;
}

/** A tax rate that is part of the price. */
export function newTaxRate(input: TaxRateInput, created: number): Stripe.TaxRate {
  return {
    id: input.id,
    object: "tax_rate",
    active: input.active,
    country: input.country,
    created,
    description: input.description,
    display_name: input.displayName,
    effective_percentage: input.percentage,
    flat_amount: null,
    inclusive: true,
    jurisdiction: input.jurisdiction,
    jurisdiction_level: null,
    livemode: false,
    metadata: input.metadata,
    percentage: input.percentage,
    rate_type: "percentage",
    state: null,
    tax_type: input.taxType,
  };
}
