import type Stripe from "stripe";
import { basicPrice, customerWith, failure } from "./sandbox-fixture.ts";
import type { Provider } from "./subscription-life.ts";

/** Invoices that are made by hand, each to another end. */
export async function invoiceByHand({ stripe }: Provider): Promise<void> {
  const { id: customer } = await customerWith(stripe, "pm_card_visa");
  const item = await stripe.invoiceItems.create({
    customer,
    amount: 2500,
    currency: "gbp",
    description: "A day's work",
  });
  await stripe.invoiceItems.update(item.id, { amount: 3000, metadata: { day: "1" } });
  await stripe.invoiceItems.retrieve(item.id, { expand: ["customer"] });
  const draft = async (more: Partial<Stripe.InvoiceCreateParams> = {}) =>
    await stripe.invoices.create({ customer, currency: "gbp", ...more });
  const paid = await draft({ pending_invoice_items_behavior: "include", description: "March" });
  const { data: products } = await stripe.products.list({ limit: 1 });
  const once = await stripe.prices.create({
    product: products[0]?.id ?? "",
    currency: "gbp",
    unit_amount: 700,
  });
  await stripe.invoiceItems.create({
    customer,
    invoice: paid.id,
    pricing: { price: once.id },
    quantity: 2,
  });
  await failure(stripe.invoiceItems.create({ customer, pricing: { price: basicPrice } }));
  await stripe.invoiceItems.list({ customer, pending: false });
  await stripe.invoices.finalizeInvoice(paid.id);
  const less = await stripe.creditNotes.create({ invoice: paid.id, amount: 400 });
  await stripe.creditNotes.voidCreditNote(less.id);
  await stripe.invoices.pay(paid.id);
  const back = await stripe.creditNotes.create({
    invoice: paid.id,
    amount: 1000,
    refund_amount: 500,
    credit_amount: 300,
    out_of_band_amount: 200,
    reason: "duplicate",
    memo: "Sorry",
  });
  await stripe.creditNotes.update(back.id, { memo: "With apologies" });
  await stripe.creditNotes.retrieve(back.id, {
    expand: ["invoice", "customer_balance_transaction"],
  });
  await stripe.creditNotes.list({ invoice: paid.id });
  await failure(stripe.creditNotes.create({ invoice: paid.id, amount: 1 }));
  await failure(stripe.invoices.finalizeInvoice(paid.id));
  const sent = await draft({ collection_method: "send_invoice", days_until_due: 30 });
  const late = await stripe.invoiceItems.create({
    customer,
    invoice: sent.id,
    amount: 900,
    currency: "gbp",
  });
  await stripe.invoiceItems.create({ customer, invoice: sent.id, amount: 1000, currency: "gbp" });
  await stripe.invoiceItems.del(late.id);
  await stripe.invoices.sendInvoice(sent.id);
  await stripe.invoices.markUncollectible(sent.id);
  await failure(stripe.invoices.sendInvoice(paid.id));
  const { id: unwanted } = await draft();
  await stripe.invoices.del(unwanted);
}
