import type Stripe from "stripe";
import * as z from "zod";
import { attachMethod, resolveAttached } from "../billing/payment-methods.ts";
import { endSubscription, hasEnded } from "../billing/subscription-steps.ts";
import { invalidRequest } from "../api-errors.ts";
import { listPage } from "../http/lists.ts";
import {
  clearableText,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newObjectId, randomText } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { detachMethod } from "./payment-methods.ts";

const address = z.strictObject({
  city: clearableText.optional(),
  country: clearableText.optional(),
  line1: clearableText.optional(),
  line2: clearableText.optional(),
  postal_code: clearableText.optional(),
  state: clearableText.optional(),
});

const fields = {
  email: clearableText.optional(),
  name: clearableText.optional(),
  phone: clearableText.optional(),
  description: clearableText.optional(),
  metadata: metadata.optional(),
  address: z.union([z.literal(""), address]).optional(),
  tax: z.strictObject({ validate_location: z.enum(["deferred", "immediately"]) }).optional(),
  preferred_locales: z.array(nonEmptyString).optional(),
  invoice_settings: z.strictObject({ default_payment_method: clearableText.optional() }).optional(),
};

const createParams = z.strictObject({
  ...fields,
  payment_method: nonEmptyString.optional(),
  test_clock: nonEmptyString.optional(),
});
const updateParams = z.strictObject(fields);
const listFilter = z.strictObject({
  ...listParams,
  email: nonEmptyString.optional(),
  test_clock: nonEmptyString.optional(),
});

type Fields = z.infer<typeof updateParams>;

function plainFields(given: Fields): Partial<Stripe.Customer> {
  const { email, name, phone, description, address: place, preferred_locales: locales } = given;
  if (typeof email === "string" && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw invalidRequest(`Invalid email address: ${email}`, "email", "email_invalid");
  }
  const country = typeof place === "object" ? place.country : undefined;
  if (given.tax?.validate_location === "immediately" && !/^[A-Z]{2}$/.test(country ?? "")) {
    throw invalidRequest(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      "tax[validate_location]",
      "customer_tax_location_invalid",
    );
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

function setDefaultMethod(state: SandboxState, id: string, given: Fields): void {
  const chosen = given.invoice_settings?.default_payment_method;
  if (chosen === undefined) return;
  const param = "invoice_settings[default_payment_method]";
  const method = chosen === null ? null : resolveAttached(state, chosen, id, param).id;
  const customer = state.get("customers", id);
  state.update("customers", id, {
    invoice_settings: { ...customer.invoice_settings, default_payment_method: method },
  });
}

/** Makes a customer of what was given. */
export function createCustomer(
  state: SandboxState,
  given: z.infer<typeof createParams>,
): Stripe.Customer {
  const more = plainFields(given);
  const clock = given.test_clock ?? null;
  if (clock !== null) state.get("testClocks", clock, "test_clock");
  const id = newObjectId("cus");
  state.put("customers", {
    id,
    object: "customer",
    address: null,
    balance: 0,
    created: state.now(),
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
    test_clock: clock,
    ...more,
  });
  try {
    if (given.payment_method !== undefined) attachMethod(state, given.payment_method, id);
    setDefaultMethod(state, id, given);
  } catch (cause) {
    state.tables.customers.delete(id);
    throw cause;
  }
  state.emit("customer.created", state.get("customers", id));
  return state.get("customers", id);
}

function update(state: SandboxState, id: string, given: Fields): Stripe.Customer {
  const before = state.get("customers", id);
  const more = plainFields(given);
  setDefaultMethod(state, id, given);
  const { invoice_settings: settings } = state.get("customers", id);
  state.put("customers", before);
  return state.update(
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

/** Deletes a customer with the cards, and ends the subscriptions. */
export function deleteCustomer(state: SandboxState, id: string): Stripe.DeletedCustomer {
  const customer = state.get("customers", id);
  for (const subscription of state.rows("subscriptions")) {
    if (subscription.customer === id && !hasEnded(subscription)) {
      endSubscription(state, subscription.id);
    }
  }
  for (const method of state.rows("paymentMethods")) {
    if (method.customer === id) detachMethod(state, method.id);
  }
  const deleted: Stripe.DeletedCustomer = { id, object: "customer", deleted: true };
  state.tables.customers.delete(id);
  state.tables.deletedCustomers.set(id, deleted);
  state.emit("customer.deleted", customer);
  return deleted;
}

export const customerRoutes: Route[] = [
  route("POST", "customers", createParams, ({ state, params }) => createCustomer(state, params)),
  route("GET", "customers", listFilter, ({ state, params, url }) => {
    const rows = state
      .rows("customers")
      .filter(
        (row) =>
          (params.email === undefined || row.email === params.email) &&
          row.test_clock === (params.test_clock ?? null),
      );
    return listPage(rows, params, url, "customers");
  }),
  route("GET", "customers/:id", noParams, ({ state, id }) => {
    return state.tables.deletedCustomers.get(id) ?? state.get("customers", id);
  }),
  route("POST", "customers/:id", updateParams, ({ state, id, params }) =>
    update(state, id, params),
  ),
  route("DELETE", "customers/:id", noParams, ({ state, id }) => deleteCustomer(state, id)),
  route(
    "GET",
    "customers/:id/payment_methods",
    z.strictObject({ ...listParams, type: nonEmptyString.optional() }),
    ({ state, id, params, url }) => {
      state.get("customers", id);
      const rows = state
        .rows("paymentMethods")
        .filter((row) => row.customer === id && (params.type ?? row.type) === row.type);
      return listPage(rows, params, url, "paymentMethods");
    },
  ),
];
