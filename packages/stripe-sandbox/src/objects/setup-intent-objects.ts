import type Stripe from "stripe";
import { newObjectId, randomText } from "../ids.ts";

export interface SetupIntentInput {
  customer: string | null;
  description: string | null;
  paymentMethod: string | null;
  metadata: Record<string, string>;
  usage: "off_session" | "on_session";
}

export function newSetupIntent(input: SetupIntentInput, created: number): Stripe.SetupIntent {
  const id = newObjectId("seti");
  return {
    id,
    object: "setup_intent",
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created,
    customer: input.customer,
    customer_account: null,
    description: input.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: input.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: input.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: "automatic" },
    },
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: input.paymentMethod === null ? "requires_payment_method" : "requires_confirmation",
    usage: input.usage,
  };
}
