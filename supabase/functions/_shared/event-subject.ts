import type Stripe from "stripe";
import { idOf } from "./snapshot.ts";

/** What an event makes us look at again. */
export type Subject = { kind: "subscription" | "customer"; id: string } | { kind: "nothing" };

/** Invoices also say much that changes nothing for a subscription. */
const INVOICE_EVENTS: ReadonlySet<string> = new Set([
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
]);

/** Finds the object behind an event. Its fields are not trusted: events arrive late and out of order. */
export function subjectOf(event: Stripe.Event): Subject {
  const { object } = event.data;
  if (!("object" in object)) return { kind: "nothing" };
  if (object.object === "subscription") return { kind: "subscription", id: object.id };
  if (object.object === "invoice" && INVOICE_EVENTS.has(event.type)) {
    const subscription = object.parent?.subscription_details?.subscription;
    if (subscription !== undefined) return { kind: "subscription", id: idOf(subscription) };
  }
  if (object.object === "customer" && event.type === "customer.deleted") {
    return { kind: "customer", id: object.id };
  }
  return { kind: "nothing" };
}
