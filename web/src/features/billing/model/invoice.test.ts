import { describe, expect, it } from "vitest";
import { invoiceAdjustments } from "./invoice.ts";

const line = (amountPence: number) => ({
  description: "",
  amountPence,
  periodStart: 0,
  periodEnd: 0,
});

/** An invoice as the provider makes it from its lines, a discount and the balance of the customer. */
function invoiceWith(amounts: readonly number[], discount: number, balance: number) {
  const total = amounts.reduce((sum, amount) => sum + amount, 0) - discount;
  return {
    lines: amounts.map(line),
    totalPence: total,
    startingBalancePence: balance,
    amountDuePence: Math.max(0, total + balance),
  };
}

describe("what stands between an invoice's lines and the amount due", () => {
  it.each([
    ["nothing", invoiceWith([5000], 0, 0), []],
    ["a discount", invoiceWith([5000], 1000, 0), [["Discount", -1000]]],
    ["credit", invoiceWith([5000], 0, -1500), [["Credit used", -1500]]],
    ["more credit than is due", invoiceWith([5000], 0, -9000), [["Credit used", -5000]]],
    ["a debt", invoiceWith([5000], 0, 20), [["Carried over from before", 20]]],
    [
      "a discount and credit",
      invoiceWith([-2500, 5000], 500, -700),
      [
        ["Discount", -500],
        ["Credit used", -700],
      ],
    ],
    ["a credit for unused time", invoiceWith([-5000, 2500], 0, 0), [["Kept as credit", 2500]]],
    [
      "an amount too small to be taken",
      { ...invoiceWith([20], 0, 0), amountDuePence: 0 },
      [["Carried over to the next invoice", -20]],
    ],
  ])("is %s", (_name, invoice, expected) => {
    const adjustments = invoiceAdjustments(invoice);
    expect(adjustments.map(({ name, amountPence }) => [name, amountPence])).toEqual(expected);
    const sum = [...invoice.lines, ...adjustments].reduce((all, each) => all + each.amountPence, 0);
    expect(sum).toBe(invoice.amountDuePence);
  });
});
