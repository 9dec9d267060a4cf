import type { BillingClients } from "./billing-context.ts";
import { paymentsOfInvoice, toInvoiceSnapshot } from "./invoice-snapshot.ts";
import { isOfMembership, membershipPrices } from "./membership-subscription.ts";
import { orWhenMissing } from "./stripe-client.ts";
import { writeReading } from "./write-reading.ts";

/** Reads an invoice from the provider and writes its row, unless it is for another product's subscription. */
export async function syncInvoice({ stripe, database }: BillingClients, id: string): Promise<void> {
  await writeReading(database, undefined, async (version) => {
    const invoice = await stripe.invoices.retrieve(id, { expand: paymentsOfInvoice });
    const isOurs = isOfMembership(invoice, await membershipPrices(database));
    const snapshot = isOurs ? toInvoiceSnapshot(invoice) : null;
    return {
      outcome: snapshot === null ? "not_ours" : await database.applyInvoice(version, snapshot),
    };
  });
}

/**
 * Writes the customer's latest hundred invoices that are new or have changed since they were last read; nothing when the
 * provider does not know the customer.
 */
export async function syncInvoices(
  { stripe, database }: BillingClients,
  customer: string,
): Promise<void> {
  const version = await database.nextVersion();
  const invoices = stripe.invoices.list({ customer, limit: 100 });
  const { data } = await orWhenMissing(invoices, { data: [] });
  const known = await database.knownInvoices(data.map(({ id }) => id));
  const prices = await membershipPrices(database);
  for (const invoice of data) {
    const before = known[invoice.id];
    const isKnown =
      before?.status === invoice.status &&
      before.amount_paid === invoice.amount_paid &&
      before.attempt_count === invoice.attempt_count;
    const isWritten = !isKnown && isOfMembership(invoice, prices);
    if (isWritten && invoice.status === "open" && invoice.attempted) {
      // A list cannot be read with its payments, which say why it was not paid.
      await syncInvoice({ stripe, database }, invoice.id);
      continue;
    }
    const snapshot = isWritten ? toInvoiceSnapshot(invoice) : null;
    if (version === null || snapshot === null) continue;
    const outcome = await database.applyInvoice(version, snapshot);
    if (outcome === "overlapping") await syncInvoice({ stripe, database }, invoice.id);
  }
}
