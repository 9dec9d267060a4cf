import { syncSubscription } from "../subscriptions.ts";
import { eventFamily, identified, parseObject } from "./event-family.ts";

/** `customer.subscription.*`: the subscription, its card and the role it gives are read again. */
export const onCustomerSubscription = eventFamily(
  { object: "subscription" },
  (object) => ({ kind: "subscription", id: parseObject(identified, object).id }),
  async ({ stripe, database }, { id }, event) =>
    (await syncSubscription(stripe, database, id, event)) !== null,
);
