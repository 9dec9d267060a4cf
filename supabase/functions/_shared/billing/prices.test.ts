import type Stripe from "stripe";
import { expect, it } from "vitest";
import type { ListedPrice } from "./billing-database.ts";
import { priceMismatch } from "./prices.ts";

const listed: ListedPrice = {
  price_id: "price_1",
  plan_id: "student-access",
  role: "student",
  amount: 5000,
  currency: "gbp",
  interval: "month",
  is_current: true,
};

/** As much of the provider's object as is read. */
function price(changes: Record<string, unknown> = {}): Stripe.Price {
  return {
    active: true,
    currency: "gbp",
    livemode: false,
    recurring: { interval: "month", interval_count: 1 },
    unit_amount: 5000,
    ...changes,
  } as unknown as Stripe.Price;
}

it.each([
  ["another amount", { unit_amount: 50 }, "costs 50 gbp"],
  ["no fixed amount", { unit_amount: null }, "costs ? gbp"],
  ["another currency", { currency: "jpy" }, "costs 5000 jpy"],
  ["another interval", { recurring: { interval: "year", interval_count: 1 } }, "once a month"],
  ["several months", { recurring: { interval: "month", interval_count: 3 } }, "once a month"],
  ["a single payment", { recurring: null }, "once a month"],
  ["an end", { active: false }, "archived"],
  ["real money in a test install", { livemode: true }, "other mode"],
])("a price with %s differs", (_, changes, words) => {
  expect(priceMismatch(price(changes), listed, false)).toContain(words);
});

it("a price of test mode differs in a live install, and an equal one does not", () => {
  expect(priceMismatch(price(), listed, true)).toContain("other mode");
  expect(priceMismatch(price({ livemode: true }), listed, true)).toBeNull();
  expect(priceMismatch(price(), listed, false)).toBeNull();
});
