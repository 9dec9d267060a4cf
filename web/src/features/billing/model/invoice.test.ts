import { describe, expect, it } from "vitest";
import { carriedBalance, invoiceReductions } from "../components/describe-invoice.ts";

const line = (amountPence: number, description = "Membership") => ({
  description,
  amountPence,
  periodStart: 0,
  periodEnd: 0,
});

/** An invoice as the provider makes it from its lines and the balance of the customer. */
function invoiceWith(amounts: readonly number[], balance: number) {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    lines: amounts.map((amount) => line(amount)),
    totalPence: total,
    startingBalancePence: balance,
    amountDuePence: Math.max(0, total + balance),
  };
}

describe("what stands between an invoice's lines and the amount due", () => {
  it.each([
    ["nothing", invoiceWith([5000], 0), []],
    ["credit", invoiceWith([5000], -1500), [["Credit used", -1500]]],
    ["more credit than is due", invoiceWith([5000], -9000), [["Credit used", -5000]]],
    ["a debt", invoiceWith([5000], 20), [["Carried over from before", 20]]],
    ["a credit for unused time", invoiceWith([-5000, 2500], 0), [["Kept as credit", 2500]]],
    [
      "an amount too small to be taken",
      { ...invoiceWith([20], 0), amountDuePence: 0 },
      [["Carried over to the next invoice", -20]],
    ],
  ])("is %s", (_name, invoice, expected) => {
    const carried = [carriedBalance(invoice)].filter((each) => each !== null);
    expect(carried.map(({ name, amountPence }) => [name, amountPence])).toEqual(expected);
    const sum = [...invoice.lines, ...carried].reduce((all, each) => all + each.amountPence, 0);
    expect(sum).toBe(invoice.amountDuePence);
  });
});

it("an invoice in a list names its discount and its credit", () => {
  const lines = [line(10_000), line(-2000, "Discount")];
  const invoice = { ...invoiceWith([10_000, -2000], -500), lines };
  expect(invoiceReductions(invoice)).toEqual([
    { name: "Discount", amountPence: -2000 },
    { name: "Credit used", amountPence: -500 },
  ]);
});
