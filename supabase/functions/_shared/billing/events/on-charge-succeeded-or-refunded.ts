import { syncCharge } from "../charges.ts";
import { eventFamily, identified, parseObject } from "./event-family.ts";

/** The payment is read again with its refunds and disputes, and the subscription it paid for follows. */
export const onChargeSucceededOrRefunded = eventFamily(
  { object: "charge", types: ["charge.succeeded", "charge.refunded"] },
  (object) => ({ kind: "charge", id: parseObject(identified, object).id }),
  async (billing, { id }, event) => await syncCharge(billing, id, event),
);
