import type Stripe from "stripe";
import { expect, it } from "vitest";
import { checkPrices, type CataloguePrice } from "./provider-prices.ts";

const listed: CataloguePrice = {
  plan: "student",
  priceId: "price_1",
  amount: 5000,
  currency: "gbp",
};

function sold(changes: object = {}): () => Promise<Stripe.Price> {
  const price = {
    active: true,
    currency: "gbp",
    livemode: true,
    recurring: { interval: "month", interval_count: 1 },
    unit_amount: 5000,
    ...changes,
  };
  return () => Promise.resolve(price as unknown as Stripe.Price);
}

it("prices as in the catalogue are said to be so", async () => {
  expect(await checkPrices(sold(), [listed], true)).toBe("1 as in the catalogue (live mode)");
});

it.each([
  [{ unit_amount: 4900 }, "costs 4900 gbp at the provider and 5000 gbp in the catalogue"],
  [{ currency: "usd" }, "costs 5000 usd"],
  [{ active: false }, "is archived"],
  [{ livemode: false }, "other mode"],
  [{ recurring: { interval: "year", interval_count: 1 } }, "not billed once a month"],
  [{ recurring: null }, "not billed once a month"],
])("a price with %j is named", async (changes, words) => {
  await expect(checkPrices(sold(changes), [listed], true)).rejects.toThrow(`student (price_1) `);
  await expect(checkPrices(sold(changes), [listed], true)).rejects.toThrow(words);
});

it("a price that is not there is named with the provider's words", async () => {
  const missing = () => Promise.reject(new Error("No such price"));
  await expect(checkPrices(missing, [listed], true)).rejects.toThrow("price_1) No such price");
});

it("says that nothing was compared when the provider cannot be reached", async () => {
  const unreachable = () =>
    Promise.reject(Object.assign(new Error("timed out"), { type: "StripeConnectionError" }));
  expect(await checkPrices(unreachable, [listed], true)).toEqual({
    warning: expect.stringMatching(/^not compared: /),
  });
});
