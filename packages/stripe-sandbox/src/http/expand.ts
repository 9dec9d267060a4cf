import { badRequest } from "../fault.ts";
import { intentOf } from "../billing/invoice-steps.ts";
import type { World } from "../world.ts";

type Json = Record<string, unknown>;

const MAX_DEPTH = 4;

/** What an id's prefix refers to. */
const TABLES = {
  cus: "customers",
  pm: "paymentMethods",
  prod: "products",
  price: "prices",
  sub: "subscriptions",
  in: "invoices",
  inpay: "invoicePayments",
  pi: "paymentIntents",
  ch: "charges",
  re: "refunds",
  du: "disputes",
} as const;

/** Fields that are only present when asked for. */
function includable(world: World, object: Json, field: string): unknown {
  const id = String(object["id"]);
  switch (`${String(object["object"])}.${field}`) {
    case "invoice.confirmation_secret": {
      const intent = intentOf(world, id);
      if (intent === null) return null;
      const secret = world.get("paymentIntents", intent).client_secret;
      return { client_secret: secret, type: "payment_intent" };
    }
    case "invoice.payments":
      return {
        object: "list",
        data: world.rows("invoicePayments").filter((row) => row.invoice === id),
        has_more: false,
        url: `/v1/invoices/${id}/payments`,
      };
    case "customer.subscriptions":
      return {
        object: "list",
        data: world
          .rows("subscriptions")
          .filter((row) => row.customer === id && row.status !== "canceled")
          .toReversed(),
        has_more: false,
        url: `/v1/customers/${id}/subscriptions`,
      };
    case "charge.refunds":
      return {
        object: "list",
        data: world.rows("refunds").filter((row) => row.charge === id),
        has_more: false,
        url: `/v1/charges/${id}/refunds`,
      };
    default:
      return undefined;
  }
}

/** A deep copy of an answer with the asked-for references replaced by their objects. */
export function expandAnswer(world: World, answer: object, paths: string[]): object {
  const copy = structuredClone(answer) as Json;
  for (const path of paths) {
    const steps = path.split(".");
    const depth = steps.filter((step) => step !== "data").length;
    if (depth > MAX_DEPTH) {
      throw badRequest(
        `You cannot expand more than ${MAX_DEPTH} levels of a property (${path}).`,
        "expand",
      );
    }
    expandStep(world, copy, steps, path);
  }
  return copy;
}

function expandStep(world: World, holder: Json, steps: string[], path: string): void {
  const [field, ...rest] = steps;
  if (field === undefined) return;
  if (!Object.hasOwn(holder, field)) {
    const value = includable(world, holder, field);
    if (value === undefined) {
      throw badRequest(`This property cannot be expanded (${path}).`, "expand");
    }
    holder[field] = structuredClone(value);
  }
  const held = holder[field];
  if (typeof held === "string") holder[field] = lookUp(world, held, path);
  descend(world, holder[field], rest, path);
}

function descend(world: World, value: unknown, steps: string[], path: string): void {
  if (steps.length === 0 || value === null) return;
  if (Array.isArray(value)) {
    for (const entry of value) descend(world, entry, steps, path);
    return;
  }
  if (typeof value === "object") {
    expandStep(world, value as Json, steps, path);
    return;
  }
  throw badRequest(`This property cannot be expanded (${path}).`, "expand");
}

function lookUp(world: World, id: string, path: string): object {
  const prefix = /^([a-z]+)_/.exec(id)?.[1] ?? "";
  const table = Object.entries(TABLES).find(([name]) => name === prefix)?.[1];
  const row = table && world.find(table, id);
  if (row) return structuredClone(row);
  const deleted = world.tables.deletedCustomers.get(id);
  if (deleted) return { ...deleted };
  throw badRequest(`This property cannot be expanded (${path}).`, "expand");
}
