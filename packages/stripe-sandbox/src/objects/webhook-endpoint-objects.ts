import type Stripe from "stripe";
import { stableId } from "../ids.ts";
import { apiVersion } from "../sandbox-state.ts";

/** An endpoint that every event is sent to. Its secret is shown to nobody, as Stripe's is after its creation. */
export function newWebhookEndpoint(url: string, created: number): Stripe.WebhookEndpoint {
  return {
    id: stableId("we", url),
    object: "webhook_endpoint",
    api_version: apiVersion,
    application: null,
    created,
    description: null,
    enabled_events: ["*"],
    livemode: false,
    metadata: {},
    status: "enabled",
    url,
  };
}
