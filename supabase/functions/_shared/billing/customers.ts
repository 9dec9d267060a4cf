import type Stripe from "stripe";
import type { Member } from "../http/caller.ts";
import type { BillingDatabase } from "./billing-database.ts";
import { requireOwnAccount } from "./prices.ts";
import { isResourceMissing, isServerError } from "./stripe-client.ts";

async function make(stripe: Stripe, database: BillingDatabase, caller: Member): Promise<string> {
  const { customer_id: known, generation } = await database.customer(caller.id);
  if (known !== null) return known;
  // A customer of another account would have to be found and dropped again once the right key is back.
  await requireOwnAccount({ stripe, database });
  // The parameters must never differ under the same idempotency key, so the e-mail is set later.
  const metadata = { user_id: caller.id };
  const idempotencyKey = `customer-${caller.id}-${generation}`;
  const customer = await stripe.customers
    .create({ metadata }, { idempotencyKey })
    .catch(async (error: unknown) => {
      // Stripe repeats an error of its own to every call with the same key, for a day.
      if (!isServerError(error)) throw error;
      return await stripe.customers.create({ metadata });
    });
  const current = await database.recordCustomer(caller.id, customer.id);
  // Another call was first, or the idempotency key of an earlier, unrecorded one has expired.
  if (current !== customer.id) await stripe.customers.del(customer.id);
  return current;
}

/**
 * The member's one customer at the card provider; created when there is none or it was deleted there.
 * Concurrent calls return the same customer.
 */
export async function ensureCustomer(
  stripe: Stripe,
  database: BillingDatabase,
  caller: Member,
): Promise<string> {
  const id = await make(stripe, database, caller);
  try {
    await stripe.customers.update(id, { email: caller.email ?? "" });
    return id;
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    await requireOwnAccount({ stripe, database });
    await database.dropCustomer(id);
    return await make(stripe, database, caller);
  }
}
