import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import { newObjectId, randomText } from "../ids.ts";

export interface CheckoutInput {
  mode: "payment" | "subscription";
  items: readonly Stripe.LineItem[];
  currency: string;
  customer: string | null;
  customerEmail: string | null;
  clientReference: string | null;
  successUrl: string;
  cancelUrl: string | null;
  metadata: Record<string, string>;
  publicBase: string;
}

export function newLineItem(price: Stripe.Price, name: string, quantity: number): Stripe.LineItem {
  const amount = (price.unit_amount ?? 0) * quantity;
  return {
    id: newObjectId("li"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: name,
    metadata: {},
    price,
    quantity,
  };
}

/** A page of the provider on which a customer pays. It can be used for a day. */
export function newCheckoutSession(input: CheckoutInput, created: number): Stripe.Checkout.Session {
  const id = `cs_test_${randomText(58)}`;
  const total = input.items.reduce((sum, { amount_total: amount }) => sum + amount, 0);
  const isPayment = input.mode === "payment";
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: ["card"],
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: input.cancelUrl,
    client_reference_id: input.clientReference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created,
    currency: input.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: input.customer,
    customer_account: null,
    customer_creation: isPayment && input.customer === null ? "if_required" : null,
    customer_details: null,
    customer_email: input.customerEmail,
    discounts: [],
    expires_at: created + dayS,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: input.metadata,
    mode: input.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: isPayment ? "if_required" : "always",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: input.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${input.publicBase}/checkout/${id}`,
    wallet_options: null,
  };
}
