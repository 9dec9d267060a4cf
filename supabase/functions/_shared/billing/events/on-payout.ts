import { syncBalance } from "../balance.ts";
import { eventFamily, identified, parseObject } from "./event-family.ts";

/** `payout.*`: the balance is read on from where it was last read, with the payout and its fees. */
export const onPayout = eventFamily(
  { object: "payout" },
  (object) => ({ kind: "payout", id: parseObject(identified, object).id }),
  async (billing) => {
    await syncBalance(billing);
    return true;
  },
);
