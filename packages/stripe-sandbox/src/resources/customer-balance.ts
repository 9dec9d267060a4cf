import * as z from "zod";
import { resourceMissing } from "../api-errors.ts";
import { adjustCustomerBalance } from "../billing/customer-balance.ts";
import { listPage } from "../http/lists.ts";
import {
  clearableText,
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";

const words = { description: clearableText.optional(), metadata: metadata.optional() };

/** The transaction that the last part of the path names, if it is this customer's. */
function ownTransaction(state: SandboxState, customer: string, url: string) {
  const id = url.split("/").at(-1) ?? "";
  const found = state.get("customerBalance", id);
  if (found.customer !== customer) throw resourceMissing("customer balance transaction", id);
  return found;
}

/** Credit of customers, which pays their next invoices, and what they owe. */
export const customerBalanceRoutes: Route[] = [
  route(
    "POST",
    "customers/:id/balance_transactions",
    z.strictObject({ amount: integer, currency: nonEmptyString, ...words }),
    ({ state, id, params }) =>
      adjustCustomerBalance(state, id, {
        amount: params.amount,
        currency: params.currency.toLowerCase(),
        type: "adjustment",
        description: params.description ?? null,
        metadata: mergeMetadata({}, params.metadata),
      }),
  ),
  route(
    "GET",
    "customers/:id/balance_transactions",
    z.strictObject(listParams),
    ({ state, id, params, url }) => {
      state.get("customers", id);
      const rows = state.rows("customerBalance").filter((row) => row.customer === id);
      return listPage(rows, params, url, "customerBalance");
    },
  ),
  route("GET", "customers/:id/balance_transactions/:transaction", noParams, ({ state, id, url }) =>
    ownTransaction(state, id, url),
  ),
  route(
    "POST",
    "customers/:id/balance_transactions/:transaction",
    z.strictObject(words),
    ({ state, id, url, params: { description, metadata: given } }) => {
      const found = ownTransaction(state, id, url);
      return state.update("customerBalance", found.id, {
        ...(description !== undefined && { description }),
        metadata: mergeMetadata(found.metadata ?? {}, given),
      });
    },
  ),
];
