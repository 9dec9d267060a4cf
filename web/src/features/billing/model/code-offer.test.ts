import { expect, it } from "vitest";
import { describeOffer } from "../components/describe-offer.ts";
import type { CheckoutOffer } from "./code-offer.ts";

const offer: CheckoutOffer = {
  code: "SPRING",
  priceId: "price_1",
  currency: "GBP",
  trialDays: null,
  dueNow: 4000,
  whileItLasts: 4000,
  months: 1,
  afterwards: 5000,
};

it.each([
  [{}, "£40 today, then £50 each month."],
  [{ months: 3 }, "£40 each month for 3 months, then £50 each month."],
  [{ months: null }, "£40 each month for as long as you stay."],
  [{ dueNow: 0 }, "£0 today, then £50 each month."],
  [
    { trialDays: 14, dueNow: 0, months: null },
    "14 days free, then £50 each month. Cancel before they end and you pay nothing.",
  ],
])("an offer of %j says what is charged when", (differs, text) => {
  expect(describeOffer({ ...offer, ...differs }, "month")).toBe(text);
});

it.each([
  [{}, "£40 today, then £50 each year."],
  [{ months: 6 }, "£40 today, then £50 each year."],
  [{ months: 13 }, "£40 each year for 2 years, then £50 each year."],
  [{ months: null }, "£40 each year for as long as you stay."],
])("of a yearly price an offer of %j counts in years", (differs, text) => {
  expect(describeOffer({ ...offer, ...differs }, "year")).toBe(text);
});
