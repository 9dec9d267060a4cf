import type Stripe from "stripe";
import type { Caller } from "./caller.ts";
import type { Ledger } from "./ledger.ts";
import { isResourceMissing } from "./stripe-client.ts";

async function make(stripe: Stripe, ledger: Ledger, caller: Caller): Promise<string> {
  const { customer_id: known, generation } = await ledger.customer(caller.id);
  if (known !== null) return known;
  // Nothing in the request may ever differ, or the provider would refuse the same key; the e-mail follows later.
  const customer = await stripe.customers.create(
    { metadata: { user_id: caller.id } },
    { idempotencyKey: `customer-${caller.id}-${generation}` },
  );
  const current = await ledger.recordCustomer(caller.id, customer.id);
  // Only after the provider has forgotten the key of an earlier, unrecorded call.
  if (current !== customer.id) await stripe.customers.del(customer.id);
  return current;
}

/**
 * The one customer of a member at the card provider, made when there is none and made anew when it was
 * deleted there. Calls at once end with the same customer.
 */
export async function ensureCustomer(
  stripe: Stripe,
  ledger: Ledger,
  caller: Caller,
): Promise<string> {
  const id = await make(stripe, ledger, caller);
  try {
    await stripe.customers.update(id, { email: caller.email ?? "" });
    return id;
  } catch (error) {
    if (!isResourceMissing(error)) throw error;
    await ledger.dropCustomer(id);
    return await make(stripe, ledger, caller);
  }
}
