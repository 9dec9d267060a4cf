import type Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { discardPlannedChange } from "./planned-change.ts";

/** A client that has one invoice, and the ids of those that were voided. */
function stripeWith(invoice: Partial<Stripe.Invoice>): { stripe: Stripe; voided: string[] } {
  const voided: string[] = [];
  const invoices = {
    retrieve: (id: string) => Promise.resolve({ id, ...invoice }),
    voidInvoice: (id: string) => Promise.resolve(voided.push(id)),
  };
  return { stripe: { invoices } as unknown as Stripe, voided };
}

const waiting = {
  schedule: null,
  pending_update: { subscription_items: [] },
  latest_invoice: "in_1",
} as unknown as Stripe.Subscription;

describe("discarding a change that waits for its payment", () => {
  it("voids its open invoice", async () => {
    const { stripe, voided } = stripeWith({
      status: "open",
      billing_reason: "subscription_update",
    });
    await discardPlannedChange(stripe, waiting);
    expect(voided).toEqual(["in_1"]);
  });

  it.each([
    ["a renewal that is owed", { status: "open", billing_reason: "subscription_cycle" }],
    ["an invoice that was paid", { status: "paid", billing_reason: "subscription_update" }],
  ] as const)("never voids %s", async (_, invoice) => {
    const { stripe, voided } = stripeWith(invoice);
    await discardPlannedChange(stripe, waiting);
    expect(voided).toEqual([]);
  });
});
