import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { integer, nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { parseSearchQuery } from "../http/search.ts";

const params = z.strictObject({
  query: nonEmptyString,
  limit: integer.optional(),
  page: nonEmptyString.optional(),
});

const common = ["created"];
/** What objects are searched by, besides metadata. */
const searched = {
  charges: [
    ...common,
    "amount",
    "billing_details.address.postal_code",
    "currency",
    "customer",
    "disputed",
    "refunded",
    "status",
  ],
  customers: [...common, "email", "name", "phone"],
  invoices: [
    ...common,
    "currency",
    "customer",
    "number",
    "receipt_number",
    "status",
    "subscription",
    "total",
  ],
  payment_intents: [...common, "amount", "currency", "customer", "status"],
  prices: ["active", "currency", "lookup_key", "product", "type"],
  products: ["active", "description", "name", "shippable", "url"],
  subscriptions: [...common, "canceled_at", "status"],
} as const;

type Searched = keyof typeof searched;

const tableOf = (name: Searched) => (name === "payment_intents" ? "paymentIntents" : name);

/** Objects that match a query, newest first. Here they are found at once; at Stripe within a minute. */
function searchRoute(name: Searched): Route {
  return route(
    "GET",
    `${name}/search`,
    params,
    ({ state, params: { query, limit = 10, page }, url }) => {
      if (limit < 1 || limit > 100) {
        throw invalidRequest(
          "This value must be between 1 and 100.",
          "limit",
          "parameter_invalid_integer",
        );
      }
      const matches = parseSearchQuery(query, searched[name]);
      const found = state
        .rows(tableOf(name))
        .filter((row) => matches(name === "invoices" ? withSubscription(row) : { ...row }))
        .toReversed();
      const start = page === undefined ? 0 : Number(Buffer.from(page, "base64url").toString());
      if (!Number.isInteger(start) || start < 0) throw invalidRequest("Invalid page.", "page");
      const end = start + limit;
      const isLast = end >= found.length;
      return {
        object: "search_result" as const,
        data: found.slice(start, end),
        has_more: !isLast,
        next_page: isLast ? null : Buffer.from(String(end)).toString("base64url"),
        url,
      };
    },
  );
}

/** An invoice with the subscription by the name that queries use. */
function withSubscription(row: object): Record<string, unknown> {
  const parent = Reflect.get(row, "parent") as {
    subscription_details?: { subscription?: unknown };
  } | null;
  return { ...row, subscription: parent?.subscription_details?.subscription };
}

export const searchRoutes: Route[] = (Object.keys(searched) as Searched[]).map(searchRoute);
