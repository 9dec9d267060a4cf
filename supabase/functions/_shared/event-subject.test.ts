import type { Stripe } from "stripe";
import { expect, it } from "vitest";
import { subjectOf } from "./event-subject.ts";

const invoice = (parent: unknown) => ({ object: "invoice", id: "in_1", parent });
const ofSubscription = { subscription_details: { subscription: "sub_1" } };
const SUBSCRIPTION = { kind: "subscription", id: "sub_1" };
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
])("%s about %j concerns %j", (type, object, subject) => {
  const event = { type, data: { object } } as unknown as Stripe.Event;
  expect(subjectOf(event)).toEqual(subject);
});
