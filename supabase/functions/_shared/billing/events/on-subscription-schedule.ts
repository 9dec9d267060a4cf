import { z } from "zod";
import { syncSubscription } from "../subscriptions.ts";
import { eventFamily, parseObject, reference } from "./event-family.ts";

const schedule = z.object({
  subscription: reference.nullish(),
  released_subscription: reference.nullish(),
});

/** `subscription_schedule.*`: a planned change of plan, read again with its subscription. */
export const onSubscriptionSchedule = eventFamily(
  { object: "subscription_schedule" },
  (object) => {
    const { subscription, released_subscription: released } = parseObject(schedule, object);
    const id = subscription ?? released ?? null;
    return id === null ? null : { kind: "subscription", id };
  },
  async ({ stripe, database }, { id }, event) =>
    (await syncSubscription(stripe, database, id, event)) !== null,
);
