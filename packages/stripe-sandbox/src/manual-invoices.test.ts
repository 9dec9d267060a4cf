import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import type { Sandbox } from "./main.ts";
import { client, customerWith, failure, openFixture } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;
let customer: string;
beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
  ({ id: customer } = await customerWith(stripe, "pm_card_visa"));
});
afterEach(() => sandbox.stop());

const addItem = async (amount: number, invoice?: string) =>
  await stripe.invoiceItems.create({
    customer,
    amount,
    currency: "gbp",
    ...(invoice !== undefined && { invoice }),
  });
const take = async (more: Partial<Stripe.InvoiceCreateParams> = {}) =>
  await stripe.invoices.create({
    customer,
    currency: "gbp",
    pending_invoice_items_behavior: "include",
    ...more,
  });

describe("an invoice that is made by hand", () => {
  it("takes what waits, and what is added, and is paid once with the customer's card", async () => {
    await addItem(2500);
    const draft = await take();
    expect(draft).toMatchObject({
      status: "draft",
      billing_reason: "manual",
      parent: null,
      total: 2500,
    });
    const extra = await addItem(1000, draft.id);
    await stripe.invoiceItems.update(extra.id, { amount: 1500 });
    const gone = await addItem(9999, draft.id);
    await stripe.invoiceItems.del(gone.id);
    expect(await stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({
      status: "open",
      amount_due: 4000,
    });
    expect((await failure(addItem(1, draft.id))).param).toBe("invoice");
    expect(await stripe.invoices.pay(draft.id)).toMatchObject({
      status: "paid",
      amount_paid: 4000,
    });
    expect(sandbox.control.charges().map(({ amount }) => amount)).toEqual([4000]);
    expect((await failure(stripe.invoices.pay(draft.id))).message).toContain("already paid");
    expect((await stripe.invoiceItems.list({ customer, pending: true })).data).toEqual([]);
  });

  it("that goes on by itself is charged when it is final, and nobody's subscription hears of it", async () => {
    await addItem(2500);
    const { id } = await take({ auto_advance: true });
    expect(await stripe.invoices.finalizeInvoice(id)).toMatchObject({ status: "paid" });
    const types = sandbox.control.events().map(({ type }) => type);
    expect(types.some((type) => type.startsWith("customer.subscription"))).toBe(false);
  });

  it("whose card is declined stays open, and is tried again by the provider", async () => {
    const failing = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
    await addItem(2500);
    const { id } = await take({ auto_advance: true, default_payment_method: failing.id });
    expect(await stripe.invoices.finalizeInvoice(id)).toMatchObject({
      status: "open",
      attempt_count: 1,
    });
    await sandbox.control.advance({ days: 30 });
    expect(await stripe.invoices.retrieve(id)).toMatchObject({
      status: "open",
      attempt_count: 4,
      next_payment_attempt: null,
    });
  });

  it("is sent where it is to be paid by hand, and given up or voided", async () => {
    await addItem(2500);
    const sent = await take({ collection_method: "send_invoice", days_until_due: 30 });
    expect(await stripe.invoices.sendInvoice(sent.id)).toMatchObject({
      status: "open",
      due_date: sent.created + 30 * 86_400,
    });
    const [event] = sandbox.control.events().filter(({ type }) => type === "invoice.sent");
    expect(event?.data.object).toMatchObject({ id: sent.id });
    expect(await stripe.invoices.markUncollectible(sent.id)).toMatchObject({
      status: "uncollectible",
    });
    expect(await stripe.invoices.voidInvoice(sent.id)).toMatchObject({ status: "void" });
    expect(sandbox.control.charges()).toEqual([]);
  });

  it("gives its items back when the draft is deleted", async () => {
    await addItem(2500);
    const { id } = await take();
    await stripe.invoices.del(id);
    expect((await failure(stripe.invoices.retrieve(id))).code).toBe("resource_missing");
    expect((await take()).total).toBe(2500);
  });

  it("takes no item of another customer", async () => {
    const { id: other } = await stripe.customers.create();
    const foreign = await stripe.invoices.create({ customer: other });
    expect((await failure(addItem(100, foreign.id))).param).toBe("invoice");
    expect((await stripe.invoiceItems.list({ customer })).data).toEqual([]);
    expect((await failure(stripe.invoices.create({ customer: "cus_none" }))).code).toBe(
      "resource_missing",
    );
  });
});

describe("a credit note", () => {
  it("of an open invoice lowers what is due, until it is void", async () => {
    await addItem(2500);
    const { id: invoice } = await take();
    await stripe.invoices.finalizeInvoice(invoice);
    const note = await stripe.creditNotes.create({ invoice, amount: 500 });
    expect(note).toMatchObject({ type: "pre_payment", number: expect.stringMatching(/-CN-01$/) });
    expect((await stripe.invoices.retrieve(invoice)).amount_due).toBe(2000);
    await stripe.creditNotes.voidCreditNote(note.id);
    expect((await stripe.invoices.retrieve(invoice)).amount_due).toBe(2500);
    await stripe.creditNotes.create({ invoice, amount: 700 });
    await stripe.invoices.pay(invoice);
    expect(sandbox.control.charges().map(({ amount }) => amount)).toEqual([1800]);
  });

  it("of a paid one is refunded or kept as credit, never more than was invoiced", async () => {
    await addItem(2500);
    const { id: invoice } = await take({ auto_advance: true });
    await stripe.invoices.finalizeInvoice(invoice);
    const wrong = stripe.creditNotes.create({ invoice, amount: 500, refund_amount: 400 });
    expect((await failure(wrong)).param).toBe("amount");
    const note = await stripe.creditNotes.create({
      invoice,
      amount: 2000,
      refund_amount: 1500,
      credit_amount: 500,
    });
    expect(note.refunds).toMatchObject([{ amount_refunded: 1500 }]);
    expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({
      balance: -500,
    });
    expect(sandbox.control.charges()[0]?.amount_refunded).toBe(1500);
    const more = stripe.creditNotes.create({ invoice, amount: 501, refund_amount: 501 });
    expect((await failure(more)).param).toBe("amount");
    expect((await failure(stripe.creditNotes.voidCreditNote(note.id))).param).toBe("id");
  });
});
