import { syncCharge } from "../charges.ts";
import { eventFamily, findCharge } from "./event-family.ts";

/** `charge.dispute.*`: the disputed payment is read again; it is suspended while disputed and ended once lost. */
export const onChargeDispute = eventFamily(
  { object: "dispute" },
  findCharge,
  async (billing, { id }, event) => await syncCharge(billing, id, event),
);
