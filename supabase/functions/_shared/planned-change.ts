import type Stripe from "stripe";
import { isInvalidRequest } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

/**
 * Drops a change of plan that has not happened: releases the schedule of a downgrade, voids the invoice an upgrade
 * waits for. Does nothing without one.
 */
export async function discardPlannedChange(
  stripe: Stripe,
  held: Stripe.Subscription,
): Promise<void> {
  if (held.schedule !== null) {
    await ignoreInvalid(stripe.subscriptionSchedules.release(idOf(held.schedule)));
  }
  if (held.pending_update !== null && held.latest_invoice !== null) {
    await ignoreInvalid(stripe.invoices.voidInvoice(idOf(held.latest_invoice)));
  }
}

/** A schedule that is over and an invoice that was paid meanwhile are refused; the next reading shows which. */
async function ignoreInvalid(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}
