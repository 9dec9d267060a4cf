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
    await voidInvoiceOfChange(stripe, idOf(held.latest_invoice));
  }
}

/** Voids the open invoice of a change of plan, and no other: a renewal that is owed stays owed. */
async function voidInvoiceOfChange(stripe: Stripe, id: string): Promise<void> {
  const invoice = await stripe.invoices.retrieve(id);
  if (invoice.status !== "open" || invoice.billing_reason !== "subscription_update") return;
  await ignoreInvalid(stripe.invoices.voidInvoice(id));
}

/** A schedule that is over and an invoice that was paid meanwhile are refused; the next reading shows which. */
async function ignoreInvalid(step: Promise<unknown>): Promise<void> {
  try {
    await step;
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}
