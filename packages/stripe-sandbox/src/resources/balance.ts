import type Stripe from "stripe";
import * as z from "zod";
import { settleBalance } from "../billing/balance.ts";
import { filterBy, listPage } from "../http/lists.ts";
import { listParams, noParams, nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";

const transactionFilter = z.strictObject({
  ...listParams,
  currency: nonEmptyString.optional(),
  payout: nonEmptyString.optional(),
  source: nonEmptyString.optional(),
  type: nonEmptyString.optional(),
});

function byTime<T extends { created: number }>(rows: T[]): T[] {
  return rows.toSorted((left, right) => left.created - right.created);
}

function sums(rows: Stripe.BalanceTransaction[]): Stripe.Balance.Available[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const found = currencies.map((currency) => {
    const amount = rows
      .filter((row) => row.currency === currency)
      .reduce((sum, { net }) => sum + net, 0);
    return { amount, currency, source_types: { card: amount } };
  });
  return found.length === 0 ? [{ amount: 0, currency: "gbp", source_types: { card: 0 } }] : found;
}

function balance(state: SandboxState): Stripe.Balance {
  settleBalance(state);
  const rows = state.rows("balanceTransactions");
  return {
    object: "balance",
    available: sums(rows.filter(({ status }) => status === "available")),
    livemode: false,
    pending: sums(rows.filter(({ status }) => status === "pending")),
  };
}

/** The account's money: what charges brought and cost, what went back, and automatic payouts. */
export const balanceRoutes: Route[] = [
  route("GET", "balance", noParams, ({ state }) => balance(state)),
  route("GET", "balance_transactions", transactionFilter, ({ state, params, url }) => {
    settleBalance(state);
    const { payout } = params;
    if (payout !== undefined) state.get("payouts", payout, "payout");
    const rows = filterBy(
      byTime(state.rows("balanceTransactions")),
      ["currency", "source", "type"],
      params,
    ).filter(({ id }) => payout === undefined || state.tables.payoutNotes.get(id) === payout);
    return listPage(rows, params, url, "balanceTransactions");
  }),
  route("GET", "balance_transactions/:id", noParams, ({ state, id }) => {
    settleBalance(state);
    return state.get("balanceTransactions", id);
  }),
  route(
    "GET",
    "payouts",
    z.strictObject({ ...listParams, status: nonEmptyString.optional() }),
    ({ state, params, url }) => {
      settleBalance(state);
      const rows = filterBy(byTime(state.rows("payouts")), ["status"], params);
      return listPage(rows, params, url, "payouts");
    },
  ),
  route("GET", "payouts/:id", noParams, ({ state, id }) => {
    settleBalance(state);
    return state.get("payouts", id);
  }),
];
