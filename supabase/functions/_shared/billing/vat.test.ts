import { describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { isTaxedOnTop } from "./vat.ts";

const invoice = (...taxes: [behavior: string, amount: number][]) =>
  ({
    total_taxes: taxes.map(([behavior, amount]) => ({ tax_behavior: behavior, amount })),
  }) as unknown as Stripe.Invoice;

describe("an invoice is taxed on top of the price", () => {
  it("when a tax with an amount is exclusive, and in no other case", () => {
    expect(isTaxedOnTop(invoice(["inclusive", 833], ["exclusive", 1]))).toBe(true);
    expect(isTaxedOnTop(invoice(["inclusive", 833], ["exclusive", 0]))).toBe(false);
    expect(isTaxedOnTop(invoice())).toBe(false);
    expect(isTaxedOnTop({ total_taxes: null } as Stripe.Invoice)).toBe(false);
  });
});
