import type { Stripe } from "stripe";
import { expect, it } from "vitest";
import { familyOf } from "./event-families.ts";

const invoice = (parent: unknown) => ({ object: "invoice", id: "in_1", parent });
const ofSubscription = { subscription_details: { subscription: "sub_1" } };
const subscriptionSubject = { kind: "subscription", id: "sub_1" };
const invoiceSubject = { kind: "invoice", id: "in_1", subscription: "sub_1" };
const chargeSubject = { kind: "charge", id: "ch_1" };
const noSubject = null;

const subjectOf = (event: Stripe.Event) =>
  familyOf(event)?.findSubject(event.data.object) ?? noSubject;

it.each([
  ["customer.subscription.created", { object: "subscription", id: "sub_1" }, subscriptionSubject],
  ["customer.subscription.deleted", { object: "subscription", id: "sub_1" }, subscriptionSubject],
  ["invoice.paid", invoice(ofSubscription), invoiceSubject],
  ["invoice.finalized", invoice(ofSubscription), invoiceSubject],
  ["invoice.payment_failed", invoice(ofSubscription), invoiceSubject],
  [
    "invoice.voided",
    invoice({ subscription_details: { subscription: { id: "sub_1" } } }),
    invoiceSubject,
  ],
  ["invoice.created", invoice(ofSubscription), noSubject],
  ["invoice.paid", invoice(null), noSubject],
  ["invoice.paid", invoice({ subscription_details: null }), noSubject],
  ["customer.deleted", { object: "customer", id: "cus_1" }, { kind: "customer", id: "cus_1" }],
  ["customer.updated", { object: "customer", id: "cus_1" }, noSubject],
  ["customer.discount.deleted", { object: "discount", id: "di_1" }, noSubject],
  [
    "subscription_schedule.updated",
    { object: "subscription_schedule", id: "sub_sched_1", subscription: "sub_1" },
    subscriptionSubject,
  ],
  [
    "subscription_schedule.released",
    { object: "subscription_schedule", subscription: null, released_subscription: "sub_1" },
    subscriptionSubject,
  ],
  ["made.up", { id: "x" }, noSubject],
  ["charge.refunded", { object: "charge", id: "ch_1" }, chargeSubject],
  ["charge.succeeded", { object: "charge", id: "ch_1" }, chargeSubject],
  ["payout.paid", { object: "payout", id: "po_1" }, { kind: "payout", id: "po_1" }],
  ["charge.failed", { object: "charge", id: "ch_1" }, noSubject],
  ["refund.created", { object: "refund", id: "re_1", charge: "ch_1" }, chargeSubject],
  ["refund.failed", { object: "refund", id: "re_1", charge: { id: "ch_1" } }, chargeSubject],
  ["refund.updated", { object: "refund", id: "re_1", charge: null }, noSubject],
  ["charge.dispute.created", { object: "dispute", id: "du_1", charge: "ch_1" }, chargeSubject],
  [
    "charge.dispute.funds_reinstated",
    { object: "dispute", id: "du_1", charge: "ch_1" },
    chargeSubject,
  ],
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
