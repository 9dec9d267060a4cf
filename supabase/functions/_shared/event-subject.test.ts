import type { Stripe } from "stripe";
import { expect, it } from "vitest";
import { subjectOf } from "./event-subject.ts";

const invoice = (parent: unknown) => ({ object: "invoice", id: "in_1", parent });
const ofSubscription = { subscription_details: { subscription: "sub_1" } };
const SUBSCRIPTION = { kind: "subscription", id: "sub_1" };
const CHARGE = { kind: "charge", id: "ch_1" };
const NOTHING = { kind: "nothing" };

it.each([
  ["customer.subscription.created", { object: "subscription", id: "sub_1" }, SUBSCRIPTION],
  ["customer.subscription.deleted", { object: "subscription", id: "sub_1" }, SUBSCRIPTION],
  ["invoice.paid", invoice(ofSubscription), SUBSCRIPTION],
  ["invoice.payment_failed", invoice(ofSubscription), SUBSCRIPTION],
  [
    "invoice.voided",
    invoice({ subscription_details: { subscription: { id: "sub_1" } } }),
    SUBSCRIPTION,
  ],
  ["invoice.created", invoice(ofSubscription), NOTHING],
  ["invoice.paid", invoice(null), NOTHING],
  ["invoice.paid", invoice({ subscription_details: null }), NOTHING],
  ["customer.deleted", { object: "customer", id: "cus_1" }, { kind: "customer", id: "cus_1" }],
  ["customer.updated", { object: "customer", id: "cus_1" }, NOTHING],
  ["customer.discount.deleted", { object: "discount", id: "di_1" }, NOTHING],
  ["made.up", { id: "x" }, NOTHING],
  ["charge.refunded", { object: "charge", id: "ch_1" }, CHARGE],
  ["charge.succeeded", { object: "charge", id: "ch_1" }, CHARGE],
  ["charge.failed", { object: "charge", id: "ch_1" }, NOTHING],
  ["refund.created", { object: "refund", id: "re_1", charge: "ch_1" }, CHARGE],
  ["refund.failed", { object: "refund", id: "re_1", charge: { id: "ch_1" } }, CHARGE],
  ["refund.updated", { object: "refund", id: "re_1", charge: null }, NOTHING],
  ["charge.dispute.created", { object: "dispute", id: "du_1", charge: "ch_1" }, CHARGE],
  ["charge.dispute.funds_reinstated", { object: "dispute", id: "du_1", charge: "ch_1" }, CHARGE],
])("%s about %j concerns %j", (type, object, subject) => {
  const event = { type, data: { object } } as unknown as Stripe.Event;
  expect(subjectOf(event)).toEqual(subject);
});

it.each([
  ["customer.subscription.updated", { object: "subscription" }],
  ["customer.subscription.updated", { object: "subscription", id: 1e308 }],
  ["customer.subscription.updated", { object: "subscription", id: "../customers/cus_1" }],
  ["invoice.paid", { object: "invoice", parent: "sub_1" }],
  ["invoice.paid", { object: "invoice", parent: { subscription_details: { subscription: 5 } } }],
  ["customer.deleted", { object: "customer", id: ["cus_1"] }],
  ["charge.refunded", { object: "charge", id: {} }],
  ["refund.created", { object: "refund", charge: [["ch_1"]] }],
  ["charge.dispute.created", { object: "dispute", charge: "" }],
])("%s about %j is refused as malformed", (type, object) => {
  const event = { type, data: { object } } as unknown as Stripe.Event;
  expect(() => subjectOf(event)).toThrow(
    expect.objectContaining({ status: 400, code: "invalid_event" }),
  );
});
