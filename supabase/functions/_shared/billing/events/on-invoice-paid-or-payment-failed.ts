import { z } from "zod";
import { syncInvoice } from "../invoices.ts";
import { syncSubscription } from "../subscriptions.ts";
import { eventFamily, identified, parseObject, reference } from "./event-family.ts";

const invoice = identified.extend({
  parent: z
    .object({
      subscription_details: z.object({ subscription: reference.nullish() }).nullish(),
    })
    .nullish(),
});

/**
 * What changes a subscription or a receipt: the invoice is read again and written, then its subscription, whose status
 * tells that a payment failed.
 */
export const onInvoicePaidOrPaymentFailed = eventFamily(
  {
    object: "invoice",
    types: [
      "invoice.finalized",
      "invoice.paid",
      "invoice.payment_failed",
      "invoice.payment_action_required",
      "invoice.marked_uncollectible",
      "invoice.voided",
    ],
  },
  (object) => {
    const { id, parent } = parseObject(invoice, object);
    const subscription = parent?.subscription_details?.subscription;
    return subscription ? { kind: "invoice", id, subscription } : null;
  },
  async ({ stripe, database }, { id, subscription }, event) => {
    await syncInvoice({ stripe, database }, id);
    return (await syncSubscription(stripe, database, subscription, event)) !== null;
  },
);
