import type Stripe from "stripe";
import * as z from "zod";
import { addItem } from "../billing/change-subscription.ts";
import { nonEmptyString, integer } from "../http/params.ts";
import { listParams } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

export const subscriptionItemRoutes: Route[] = [
  route(
    "POST",
    "subscription_items",
    z.strictObject({
      subscription: nonEmptyString,
      price: nonEmptyString,
      quantity: integer.optional(),
      proration_behavior: z.enum(["always_invoice", "create_prorations", "none"]).optional(),
    }),
    ({ state, params }): Stripe.SubscriptionItem =>
      addItem(
        state,
        params.subscription,
        { price: params.price, quantity: params.quantity ?? 1 },
        params.proration_behavior ?? "create_prorations",
      ),
  ),
  route(
    "GET",
    "subscription_items",
    z.strictObject({ ...listParams, subscription: nonEmptyString }),
    ({ state, params, url }) => ({
      ...state.get("subscriptions", params.subscription, "subscription").items,
      url,
    }),
  ),
];
