import type Stripe from "stripe";
import * as z from "zod";
import { attachMethod, resolveAttached } from "../billing/payment-methods.ts";
import { cancelSubscription, hasEnded } from "../billing/subscription-steps.ts";
import { badRequest } from "../fault.ts";
import { listPage } from "../http/lists.ts";
import { clearable, listParams, mergeMetadata, metadata, text } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newId, randomText } from "../ids.ts";
import type { World } from "../world.ts";
import { detachMethod } from "./payment-methods.ts";

const address = z.strictObject({
  city: clearable.optional(),
  country: clearable.optional(),
  line1: clearable.optional(),
  line2: clearable.optional(),
  postal_code: clearable.optional(),
  state: clearable.optional(),
});

const fields = {
  email: clearable.optional(),
  name: clearable.optional(),
  phone: clearable.optional(),
  description: clearable.optional(),
  metadata: metadata.optional(),
  address: z.union([z.literal(""), address]).optional(),
  preferred_locales: z.array(text).optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearable.optional() }).optional(),
};

const createParams = z.strictObject({ ...fields, payment_method: text.optional() });
const updateParams = z.strictObject(fields);
const listFilter = z.strictObject({ ...listParams, email: text.optional() });
const nothing = z.strictObject({});

type Fields = z.infer<typeof updateParams>;

function plainFields(given: Fields): Partial<Stripe.Customer> {
  const { email, name, phone, description, address: place, preferred_locales: locales } = given;
  if (typeof email === "string" && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw badRequest(`Invalid email address: ${email}`, "email", "email_invalid");
  }
  return {
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone }),
    ...(description !== undefined && { description }),
    ...(locales !== undefined && { preferred_locales: locales }),
    ...(place !== undefined && { address: place === "" ? null : fullAddress(place) }),
  };
}

function fullAddress(place: z.infer<typeof address>): Stripe.Address {
  return {
    city: place.city ?? null,
    country: place.country ?? null,
    line1: place.line1 ?? null,
    line2: place.line2 ?? null,
    postal_code: place.postal_code ?? null,
    state: place.state ?? null,
  };
}

function setDefaultMethod(world: World, id: string, given: Fields): void {
  const chosen = given.invoice_settings?.default_payment_method;
  if (chosen === undefined) return;
  const param = "invoice_settings[default_payment_method]";
  const method = chosen === null ? null : resolveAttached(world, chosen, id, param).id;
  const customer = world.get("customers", id);
  world.amend("customers", id, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method },
  });
}

function create(world: World, given: z.infer<typeof createParams>): Stripe.Customer {
  const more = plainFields(given);
  const id = newId("cus");
  world.put("customers", {
    id,
    object: "customer",
    address: null,
    balance: 0,
    created: world.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: randomText(8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: mergeMetadata({}, given.metadata),
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: "none",
    test_clock: null,
    ...more,
  });
  try {
    if (given.payment_method !== undefined) attachMethod(world, given.payment_method, id);
    setDefaultMethod(world, id, given);
  } catch (cause) {
    world.tables.customers.delete(id);
    throw cause;
  }
  world.emit("customer.created", world.get("customers", id));
  return world.get("customers", id);
}

function update(world: World, id: string, given: Fields): Stripe.Customer {
  const before = world.get("customers", id);
  const more = plainFields(given);
  setDefaultMethod(world, id, given);
  const { invoice_settings: settings } = world.get("customers", id);
  world.put("customers", before);
  return world.amend(
    "customers",
    id,
    {
      ...more,
      invoice_settings: settings,
      metadata: mergeMetadata(before.metadata, given.metadata),
    },
    "customer.updated",
  );
}

function remove(world: World, id: string): Stripe.DeletedCustomer {
  const customer = world.get("customers", id);
  for (const subscription of world.rows("subscriptions")) {
    if (subscription.customer === id && !hasEnded(subscription)) {
      cancelSubscription(world, subscription.id);
    }
  }
  for (const method of world.rows("paymentMethods")) {
    if (method.customer === id) detachMethod(world, method.id);
  }
  const deleted: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
  world.tables.customers.delete(id);
  world.tables.deletedCustomers.set(id, deleted);
  world.emit("customer.deleted", customer);
  return deleted;
}

export const customerRoutes: Route[] = [
  route("POST", "customers", createParams, ({ world, params }) => create(world, params)),
  route("GET", "customers", listFilter, ({ world, params, url }) => {
    const rows = world
      .rows("customers")
      .filter((row) => params.email === undefined || row.email === params.email);
    return listPage(rows, params, url, "customers");
  }),
  route("GET", "customers/:id", nothing, ({ world, id }) => {
    return world.tables.deletedCustomers.get(id) ?? world.get("customers", id);
  }),
  route("POST", "customers/:id", updateParams, ({ world, id, params }) =>
    update(world, id, params),
  ),
  route("DELETE", "customers/:id", nothing, ({ world, id }) => remove(world, id)),
  route(
    "GET",
    "customers/:id/payment_methods",
    z.strictObject({ ...listParams, type: text.optional() }),
    ({ world, id, params, url }) => {
      world.get("customers", id);
      const rows = world
        .rows("paymentMethods")
        .filter((row) => row.customer === id && (params.type ?? row.type) === row.type);
      return listPage(rows, params, url, "paymentMethods");
    },
  ),
];
