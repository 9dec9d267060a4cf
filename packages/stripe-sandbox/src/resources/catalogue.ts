import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { filterBy, listPage } from "../http/lists.ts";
import {
  clearableText,
  flag,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  integer,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newObjectId } from "../ids.ts";
import { newPrice, newProduct } from "../objects/catalogue-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/)
  .transform((code) => code.toLowerCase());

const productFields = {
  name: nonEmptyString,
  active: flag.optional(),
  description: clearableText.optional(),
  metadata: metadata.optional(),
  statement_descriptor: nonEmptyString.optional(),
  unit_label: clearableText.optional(),
  url: clearableText.optional(),
};
const productParams = z.strictObject({ ...productFields, id: nonEmptyString.optional() });
const productChanges = z.strictObject({ ...productFields, name: nonEmptyString.optional() });

export const priceParams = z.strictObject({
  currency,
  unit_amount: integer,
  product: nonEmptyString.optional(),
  product_data: z.strictObject({ name: nonEmptyString, metadata: metadata.optional() }).optional(),
  recurring: z
    .strictObject({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: integer.optional(),
      usage_type: z.enum(["licensed"]).optional(),
    })
    .optional(),
  active: flag.optional(),
  lookup_key: nonEmptyString.optional(),
  tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
  nickname: nonEmptyString.optional(),
  metadata: metadata.optional(),
});
const priceChanges = z.strictObject({
  active: flag.optional(),
  lookup_key: clearableText.optional(),
  nickname: clearableText.optional(),
  metadata: metadata.optional(),
});

type ProductFields = z.infer<typeof productChanges>;

function productMore(given: ProductFields): Partial<Stripe.Product> {
  return {
    ...(given.active !== undefined && { active: given.active }),
    ...(given.description !== undefined && { description: given.description }),
    ...(given.statement_descriptor !== undefined && {
      statement_descriptor: given.statement_descriptor,
    }),
    ...(given.unit_label !== undefined && { unit_label: given.unit_label }),
    ...(given.url !== undefined && { url: given.url }),
  };
}

function createProduct(state: SandboxState, given: z.infer<typeof productParams>): Stripe.Product {
  if (given.id !== undefined && state.find("products", given.id)) {
    throw invalidRequest("Product already exists.", "id", "resource_already_exists");
  }
  const product = newProduct(given.id ?? newObjectId("prod"), given.name, state.now(), {
    ...productMore(given),
    metadata: mergeMetadata({}, given.metadata),
  });
  state.put("products", product);
  state.emit("product.created", product);
  return product;
}

export function createPrice(state: SandboxState, given: z.infer<typeof priceParams>): Stripe.Price {
  if ((given.product === undefined) === (given.product_data === undefined)) {
    throw invalidRequest("You must specify exactly one of product or product_data.", "product");
  }
  if (given.unit_amount < 0) {
    throw invalidRequest(
      "Invalid non-negative integer",
      "unit_amount",
      "parameter_invalid_integer",
    );
  }
  const product =
    given.product === undefined
      ? createProduct(state, given.product_data ?? { name: "" })
      : state.get("products", given.product, "product");
  const price = newPrice(
    {
      id: newObjectId("price"),
      product: product.id,
      unitAmount: given.unit_amount,
      currency: given.currency,
      recurring: given.recurring
        ? {
            interval: given.recurring.interval,
            intervalCount: given.recurring.interval_count ?? 1,
          }
        : null,
      nickname: given.nickname ?? null,
      lookupKey: given.lookup_key ?? null,
      taxBehavior: given.tax_behavior,
      metadata: mergeMetadata({}, given.metadata),
      active: given.active ?? true,
    },
    state.now(),
  );
  state.put("prices", price);
  state.emit("price.created", price);
  return price;
}

export const catalogueRoutes: Route[] = [
  route("POST", "products", productParams, ({ state, params }) => createProduct(state, params)),
  route(
    "GET",
    "products",
    z.strictObject({ ...listParams, active: flag.optional() }),
    ({ state, params, url }) => {
      const rows = filterBy(state.rows("products"), ["active"], params);
      return listPage(rows, params, url, "products");
    },
  ),
  route("GET", "products/:id", noParams, ({ state, id }) => state.get("products", id)),
  route("POST", "products/:id", productChanges, ({ state, id, params }) => {
    const existing = state.get("products", id);
    const changes = {
      ...productMore(params),
      ...(params.name !== undefined && { name: params.name }),
      metadata: mergeMetadata(existing.metadata, params.metadata),
      updated: state.now(),
    };
    return state.update("products", id, changes, "product.updated");
  }),
  route("POST", "prices", priceParams, ({ state, params }) => createPrice(state, params)),
  route(
    "GET",
    "prices",
    z.strictObject({
      ...listParams,
      active: flag.optional(),
      product: nonEmptyString.optional(),
      currency: currency.optional(),
      type: z.enum(["one_time", "recurring"]).optional(),
      lookup_keys: z.array(nonEmptyString).optional(),
    }),
    ({ state, params, url }) => {
      const rows = state
        .rows("prices")
        .filter(
          (row) =>
            row.active === (params.active ?? row.active) &&
            row.product === (params.product ?? row.product) &&
            row.currency === (params.currency ?? row.currency) &&
            row.type === (params.type ?? row.type) &&
            (params.lookup_keys?.includes(row.lookup_key ?? "") ?? true),
        );
      return listPage(rows, params, url, "prices");
    },
  ),
  route("GET", "prices/:id", noParams, ({ state, id }) => state.get("prices", id)),
  route("POST", "prices/:id", priceChanges, ({ state, id, params }) => {
    const existing = state.get("prices", id);
    const changes = {
      ...(params.active !== undefined && { active: params.active }),
      ...(params.lookup_key !== undefined && { lookup_key: params.lookup_key }),
      ...(params.nickname !== undefined && { nickname: params.nickname }),
      metadata: mergeMetadata(existing.metadata, params.metadata),
    };
    return state.update("prices", id, changes, "price.updated");
  }),
];
