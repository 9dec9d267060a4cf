import type Stripe from "stripe";
import { z } from "zod";
import { Refusal } from "./answers.ts";

/** What an event makes us look at again. */
export type Subject =
  { kind: "subscription" | "customer" | "charge"; id: string } | { kind: "nothing" };

/** Invoices also say much that changes nothing for a subscription. */
const INVOICE_EVENTS: ReadonlySet<string> = new Set([
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
]);

const NOTHING: Subject = { kind: "nothing" };
const id = z.string().regex(/^\w{1,255}$/);
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);
const subscription = z.object({ id });
const invoice = z.object({
  parent: z
    .object({
      subscription_details: z.object({ subscription: reference.nullish() }).nullish(),
    })
    .nullish(),
});
const charge = z.object({ id });
const aboutCharge = z.object({ charge: reference.nullish() });

function shaped<T extends z.ZodType>(shape: T, object: unknown): z.infer<T> {
  const parsed = shape.safeParse(object);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "invalid_event", "The event does not have the shape its type says.");
}

function aboutAny(kind: "charge" | "subscription", found: string | null | undefined): Subject {
  return found === null || found === undefined ? NOTHING : { kind, id: found };
}

/**
 * Finds the object behind an event. Its fields are not trusted: events arrive late and out of order.
 * @throws {Refusal} 400 invalid_event when the object is not what its type says.
 */
export function subjectOf({
  type,
  data: { object },
}: Pick<Stripe.Event, "type" | "data">): Subject {
  if (!("object" in object)) return NOTHING;
  switch (object.object as string) {
    case "subscription":
      return { kind: "subscription", id: shaped(subscription, object).id };
    case "invoice": {
      if (!INVOICE_EVENTS.has(type)) return NOTHING;
      const { parent } = shaped(invoice, object);
      return aboutAny("subscription", parent?.subscription_details?.subscription);
    }
    case "customer":
      if (type !== "customer.deleted") return NOTHING;
      return { kind: "customer", id: shaped(subscription, object).id };
    case "charge":
      if (type !== "charge.succeeded" && type !== "charge.refunded") return NOTHING;
      return { kind: "charge", id: shaped(charge, object).id };
    case "refund":
    case "dispute":
      return aboutAny("charge", shaped(aboutCharge, object).charge);
    default:
      return NOTHING;
  }
}
