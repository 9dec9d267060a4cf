import { syncCharge } from "../charges.ts";
import { eventFamily, findCharge } from "./event-family.ts";

/** `refund.*` and `charge.refund.updated`: the refunded payment is read again, with how its refunds ended. */
export const onRefund = eventFamily(
  { object: "refund" },
  findCharge,
  async (billing, { id }, event) => await syncCharge(billing, id, event),
);
