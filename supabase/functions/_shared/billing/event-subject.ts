import type Stripe from "stripe";
import { z } from "zod";
import { FunctionError } from "../http/responses.ts";

/** The object to read again after an event. */
export type EventSubject =
  | { kind: "subscription" | "customer" | "charge"; id: string }
  | { kind: "invoice"; id: string; subscription: string }
  | { kind: "nothing" };

/** The invoice events that may change a subscription or a receipt. */
const invoiceEvents: ReadonlySet<string> = new Set([
  "invoice.finalized",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided",
]);

const noSubject: EventSubject = { kind: "nothing" };
const id = z.string().regex(/^\w{1,255}$/);
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);
const subscription = z.object({ id });
const invoice = z.object({
  id,
  parent: z
    .object({
      subscription_details: z.object({ subscription: reference.nullish() }).nullish(),
    })
    .nullish(),
});
const schedule = z.object({
  subscription: reference.nullish(),
  released_subscription: reference.nullish(),
});
const charge = z.object({ id });
const chargeReference = z.object({ charge: reference.nullish() });

function parseObject<T extends z.ZodType>(shape: T, object: unknown): z.infer<T> {
  const parsed = shape.safeParse(object);
  if (parsed.success) return parsed.data;
  throw new FunctionError(400, "invalid_event", "The event's data does not match its type.");
}

function subjectFrom(
  kind: "charge" | "subscription",
  found: string | null | undefined,
): EventSubject {
  return found === null || found === undefined ? noSubject : { kind, id: found };
}

/**
 * Finds the object an event is about. Its fields are not used: events arrive late and out of order.
 * @throws {FunctionError} 400 invalid_event when the object does not match the event's type.
 */
export function subjectOf({
  type,
  data: { object },
}: Pick<Stripe.Event, "type" | "data">): EventSubject {
  if (!("object" in object)) return noSubject;
  switch (object.object as string) {
    case "subscription":
      return { kind: "subscription", id: parseObject(subscription, object).id };
    case "invoice": {
      if (!invoiceEvents.has(type)) return noSubject;
      const { id, parent } = parseObject(invoice, object);
      const billed = parent?.subscription_details?.subscription;
      return billed ? { kind: "invoice", id, subscription: billed } : noSubject;
    }
    case "subscription_schedule": {
      const { subscription: managed, released_subscription: released } = parseObject(
        schedule,
        object,
      );
      return subjectFrom("subscription", managed ?? released);
    }
    case "customer":
      if (type !== "customer.deleted") return noSubject;
      return { kind: "customer", id: parseObject(subscription, object).id };
    case "charge":
      if (type !== "charge.succeeded" && type !== "charge.refunded") return noSubject;
      return { kind: "charge", id: parseObject(charge, object).id };
    case "refund":
    case "dispute":
      return subjectFrom("charge", parseObject(chargeReference, object).charge);
    default:
      return noSubject;
  }
}
