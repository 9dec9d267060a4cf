import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { expireCheckout } from "../billing/checkout.ts";
import { recurringPrices } from "../billing/start-subscription.ts";
import { filterBy, listPage, listedCustomer } from "../http/lists.ts";
import {
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { expandableId } from "../ids.ts";
import { newCheckoutSession, newLineItem } from "../objects/checkout-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { createPrice, priceParams } from "./catalogue.ts";

const createParams = z.strictObject({
  allowed_payment_method_types: z.array(z.enum(["card"])).optional(),
  cancel_url: nonEmptyString.optional(),
  client_reference_id: z.string().max(200).optional(),
  customer: nonEmptyString.optional(),
  customer_email: nonEmptyString.optional(),
  line_items: z
    .array(
      z.strictObject({
        price: nonEmptyString.optional(),
        price_data: priceParams.optional(),
        quantity: integer.optional(),
      }),
    )
    .min(1)
    .max(20),
  metadata: metadata.optional(),
  mode: z.enum(["payment", "subscription"]),
  success_url: nonEmptyString,
  ui_mode: z.enum(["hosted_page"]).optional(),
});
type Params = z.infer<typeof createParams>;

/** Only addresses of the web: a page leads there. */
function requireAddress(value: string | undefined, param: string): void {
  if (value === undefined || /^https?:\/\/[^\s]+$/.test(value)) return;
  throw invalidRequest(
    "Invalid URL: An explicit scheme (such as https) must be provided.",
    param,
    "url_invalid",
  );
}

function itemsOf(state: SandboxState, { line_items: given, mode }: Params): Stripe.LineItem[] {
  const items = given.map(({ price, price_data: data, quantity = 1 }, index) => {
    if ((price === undefined) === (data === undefined)) {
      throw invalidRequest(
        "You must specify either `price` or `price_data`.",
        `line_items[${index}]`,
      );
    }
    const found =
      data === undefined
        ? state.get("prices", price ?? "", `line_items[${index}][price]`)
        : createPrice(state, data);
    const product = state.get("products", expandableId(found.product));
    return newLineItem(found, product.name, quantity);
  });
  if (mode === "payment" && items.some((item) => item.price?.recurring)) {
    throw invalidRequest(
      "You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.",
      "line_items",
    );
  }
  if (mode === "subscription") {
    recurringPrices(
      state,
      items.map(({ price, quantity }) => ({
        price: price?.id ?? "",
        quantity: quantity ?? 1,
        metadata: {},
      })),
    );
  }
  return items;
}

function create(state: SandboxState, params: Params): Stripe.Checkout.Session {
  requireAddress(params.success_url, "success_url");
  requireAddress(params.cancel_url, "cancel_url");
  if (params.customer !== undefined) state.get("customers", params.customer, "customer");
  if (params.customer !== undefined && params.customer_email !== undefined) {
    throw invalidRequest("You may only specify one of these parameters: customer, customer_email.");
  }
  const items = itemsOf(state, params);
  const session = newCheckoutSession(
    {
      mode: params.mode,
      items,
      currency: items[0]?.currency ?? "gbp",
      customer: params.customer ?? null,
      customerEmail: params.customer_email ?? null,
      clientReference: params.client_reference_id ?? null,
      successUrl: params.success_url,
      cancelUrl: params.cancel_url ?? null,
      metadata: mergeMetadata({}, params.metadata),
      publicBase: state.publicBase,
    },
    state.now(),
  );
  state.tables.checkoutItems.set(session.id, items);
  return state.put("checkoutSessions", session);
}

/** Checkout: pages of the provider on which a customer pays once or subscribes, with a test card. */
export const checkoutRoutes: Route[] = [
  route("POST", "checkout/sessions", createParams, ({ state, params }) => create(state, params)),
  route(
    "GET",
    "checkout/sessions",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      payment_intent: nonEmptyString.optional(),
      status: z.enum(["complete", "expired", "open"]).optional(),
      subscription: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      listedCustomer(state, params);
      const rows = filterBy(
        state.rows("checkoutSessions"),
        ["customer", "payment_intent", "status", "subscription"],
        params,
      );
      return listPage(rows, params, url, "checkoutSessions");
    },
  ),
  route("GET", "checkout/sessions/:id", noParams, ({ state, id }) =>
    state.get("checkoutSessions", id),
  ),
  route("POST", "checkout/sessions/:id/expire", noParams, ({ state, id }) =>
    expireCheckout(state, id),
  ),
  route(
    "GET",
    "checkout/sessions/:id/line_items",
    z.strictObject(listParams),
    ({ state, id, url }) => {
      state.get("checkoutSessions", id);
      const data = state.tables.checkoutItems.get(id) ?? [];
      return { object: "list" as const, data, has_more: false, url };
    },
  ),
];
