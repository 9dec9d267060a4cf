import type Stripe from "stripe";
import type { DiscountInput } from "../billing/discounts.ts";
import { newObjectId } from "../ids.ts";

export interface SchedulePhaseInput {
  items: { price: string; quantity: number }[];
  startDate: number;
  endDate: number;
  prorationBehavior: "always_invoice" | "create_prorations" | "none";
  defaultPaymentMethod: string | null;
  discounts: DiscountInput[];
  taxRates: Stripe.TaxRate[];
}

export function newPhase(
  phase: SchedulePhaseInput,
  currency: string,
): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency,
    default_payment_method: phase.defaultPaymentMethod,
    default_tax_rates: phase.taxRates,
    description: null,
    discounts: phase.discounts.map(({ coupon = null, discount = null, promotion_code = null }) => ({
      coupon,
      discount,
      promotion_code,
    })),
    end_date: phase.endDate,
    invoice_settings: null,
    items: phase.items.map(({ price, quantity }) => ({
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: price,
      price,
      quantity,
      tax_rates: [],
    })),
    metadata: {},
    on_behalf_of: null,
    proration_behavior: phase.prorationBehavior,
    start_date: phase.startDate,
    transfer_data: null,
    trial_end: null,
  };
}

export function newSchedule(
  subscription: Stripe.Subscription,
  phase: Stripe.SubscriptionSchedule.Phase,
  created: number,
): Stripe.SubscriptionSchedule {
  return {
    id: newObjectId("sub_sched"),
    object: "subscription_schedule",
    application: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    canceled_at: null,
    completed_at: null,
    created,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      automatic_tax: { ...subscription.automatic_tax, disabled_reason: null },
      billing_cycle_anchor: "automatic",
      billing_thresholds: null,
      collection_method: "charge_automatically",
      // The card of the subscription stands in the phase that is made of it.
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: "release",
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [phase],
    released_at: null,
    released_subscription: null,
    status: "active",
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  };
}
