import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";
import { planOf } from "./catalogue-objects.ts";

export interface SubscriptionInput {
  customer: string;
  currency: string;
  description: string | null;
  defaultPaymentMethod: string | null;
  cancelAtPeriodEnd: boolean;
  saveDefaultMethod: boolean;
  metadata: Record<string, string>;
  /** Epoch seconds of the trial's end, if there is a trial. */
  trialEnd: number | null;
  withoutCardAtTrialEnd: "cancel" | "create_invoice" | "pause";
  periodEnd: number;
  automaticTax: boolean;
  testClock: Stripe.Subscription["test_clock"];
  taxRates: Stripe.TaxRate[];
}

export function newSubscriptionItem(
  subscription: string,
  price: Stripe.Price,
  quantity: number,
  metadata: Record<string, string>,
  period: { start: number; end: number },
  created: number,
): Stripe.SubscriptionItem {
  return {
    id: newObjectId("si"),
    object: "subscription_item",
    billing_thresholds: null,
    created,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata,
    plan: planOf(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  };
}

export function newSubscription(input: SubscriptionInput, created: number): Stripe.Subscription {
  const id = newObjectId("sub");
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: input.automaticTax,
      liability: input.automaticTax ? { type: "self" } : null,
    },
    billing_cycle_anchor: input.trialEnd ?? created,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: input.cancelAtPeriodEnd ? input.periodEnd : null,
    cancel_at_period_end: input.cancelAtPeriodEnd,
    canceled_at: input.cancelAtPeriodEnd ? created : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: input.cancelAtPeriodEnd ? "cancellation_requested" : null,
    },
    collection_method: "charge_automatically",
    created,
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: input.defaultPaymentMethod,
    default_source: null,
    default_tax_rates: input.taxRates,
    description: input.description,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: {
      object: "list",
      data: [],
      has_more: false,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: input.saveDefaultMethod ? "on_subscription" : "off",
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: created,
    status: input.trialEnd === null ? "incomplete" : "trialing",
    test_clock: input.testClock,
    transfer_data: null,
    trial_end: input.trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: input.withoutCardAtTrialEnd,
      },
    },
    trial_start: input.trialEnd === null ? null : created,
  };
}
