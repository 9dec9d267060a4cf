import type Stripe from "stripe";
import type { BillingDatabase } from "../billing-database.ts";
import { requireOwnAccount } from "../prices.ts";
import { isResourceMissing } from "../stripe-client.ts";
import { familyOf } from "./event-families.ts";

/**
 * Updates the database from the object an event is about, as the file of its family says. The event's own fields are not
 * used, because events arrive late and out of order: the object is read again.
 * @returns false when nothing was changed.
 * @throws {FunctionError} 400 invalid_event when the object does not match the event's type; 502 provider_unavailable for the
 * key of another account.
 */
export async function applyEvent(
  stripe: Stripe,
  database: BillingDatabase,
  event: Stripe.Event,
): Promise<boolean> {
  const family = familyOf(event);
  if (family === undefined) return false;
  try {
    const reference = { id: event.id, type: event.type };
    return await family.apply({ stripe, database }, event.data.object, reference);
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    // The object no longer exists at the provider. With the key of another account none does: the event is to come again.
    await requireOwnAccount({ stripe, database });
    return false;
  }
}
