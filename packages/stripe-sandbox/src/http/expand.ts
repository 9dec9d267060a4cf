import { invalidRequest } from "../api-errors.ts";
import { settleBalance } from "../billing/balance.ts";
import { intentOf } from "../billing/invoice-steps.ts";
import type { SandboxState } from "../sandbox-state.ts";

type Json = Record<string, unknown>;

const maxExpandDepth = 4;

/** The table of an id, by its prefix. */
const tablesByPrefix = {
  clock: "testClocks",
  cus: "customers",
  pm: "paymentMethods",
  prod: "products",
  price: "prices",
  promo: "promotionCodes",
  di: "discounts",
  sub: "subscriptions",
  sub_sched: "subscriptionSchedules",
  cn: "creditNotes",
  cbtxn: "customerBalance",
  in: "invoices",
  ii: "invoiceItems",
  inpay: "invoicePayments",
  pi: "paymentIntents",
  seti: "setupIntents",
  ch: "charges",
  re: "refunds",
  du: "disputes",
  po: "payouts",
  txn: "balanceTransactions",
} as const;

/** Fields that are missing where they do not apply, expanded or not: a coupon for every product, a refund that did not fail. */
const absentFields = ["coupon.applies_to", "refund.failure_balance_transaction"];

/** Fields that are only present when expanded. */
function includable(state: SandboxState, object: Json, field: string): unknown {
  const id = String(object["id"]);
  switch (`${String(object["object"])}.${field}`) {
    case "invoice.confirmation_secret": {
      const intent = intentOf(state, id);
      if (intent === null) return null;
      const secret = state.get("paymentIntents", intent).client_secret;
      return { client_secret: secret, type: "payment_intent" };
    }
    case "invoice.payments":
      return {
        object: "list",
        data: state.rows("invoicePayments").filter((row) => row.invoice === id),
        has_more: false,
        url: `/v1/invoices/${id}/payments`,
      };
    case "customer.subscriptions":
      return {
        object: "list",
        data: state
          .rows("subscriptions")
          .filter((row) => row.customer === id && row.status !== "canceled")
          .toReversed(),
        has_more: false,
        url: `/v1/customers/${id}/subscriptions`,
      };
    case "charge.refunds":
      return {
        object: "list",
        data: state.rows("refunds").filter((row) => row.charge === id),
        has_more: false,
        url: `/v1/charges/${id}/refunds`,
      };
    default:
      return undefined;
  }
}

/** A deep copy of a response with the requested references replaced by their objects. */
export function expandResponse(state: SandboxState, answer: object, paths: string[]): object {
  const copy = structuredClone(answer) as Json;
  for (const path of paths) {
    const steps = path.split(".");
    const depth = steps.filter((step) => step !== "data").length;
    if (depth > maxExpandDepth) {
      throw invalidRequest(
        `You cannot expand more than ${maxExpandDepth} levels of a property (${path}).`,
        "expand",
      );
    }
    expandStep(state, copy, steps, path);
  }
  return copy;
}

function expandStep(state: SandboxState, holder: Json, steps: string[], path: string): void {
  const [field, ...rest] = steps;
  if (field === undefined) return;
  const name = `${String(holder["object"])}.${field}`;
  if (!Object.hasOwn(holder, field) && absentFields.includes(name)) return;
  if (!Object.hasOwn(holder, field)) {
    const value = includable(state, holder, field);
    if (value === undefined) {
      throw invalidRequest(`This property cannot be expanded (${path}).`, "expand");
    }
    holder[field] = structuredClone(value);
  }
  const existing = holder[field];
  if (typeof existing === "string") holder[field] = lookUp(state, existing, path);
  if (Array.isArray(existing)) {
    holder[field] = existing.map((each: unknown) =>
      typeof each === "string" ? lookUp(state, each, path) : each,
    );
  }
  descend(state, holder[field], rest, path);
}

function descend(state: SandboxState, value: unknown, steps: string[], path: string): void {
  if (steps.length === 0 || value === null) return;
  if (Array.isArray(value)) {
    for (const entry of value) descend(state, entry, steps, path);
    return;
  }
  if (typeof value === "object") {
    expandStep(state, value as Json, steps, path);
    return;
  }
  throw invalidRequest(`This property cannot be expanded (${path}).`, "expand");
}

function lookUp(state: SandboxState, id: string, path: string): object {
  const prefix = /^(sub_sched|[a-z]+)_/.exec(id)?.[1] ?? "";
  const table = Object.entries(tablesByPrefix).find(([name]) => name === prefix)?.[1];
  if (table === "payouts" || table === "balanceTransactions") settleBalance(state);
  // The id of a coupon has no prefix.
  const row = table ? state.find(table, id) : state.find("coupons", id);
  if (row) return structuredClone(row);
  const deleted = state.tables.deletedCustomers.get(id);
  if (deleted) return { ...deleted };
  throw invalidRequest(`This property cannot be expanded (${path}).`, "expand");
}
