import { expect } from "vitest";
import type { BillingFixture } from "./billing.ts";

interface VatDocument {
  readonly kind: string;
  readonly number: string;
  readonly charge_id: string;
  readonly gross_pence: string;
  readonly vat_pence: string;
}

/**
 * Requires what must hold of any books, to the penny: no invoice and no period was paid twice, each payment has one VAT invoice
 * of a sixth, each refund its share of it, and the numbers of each kind of document have no holes.
 */
export async function expectExactBooks(billing: BillingFixture, which: string): Promise<void> {
  const twice = await billing.sql(
    `select invoice_id as paid_twice from private.billing_charges where invoice_id is not null group by 1 having count(*) > 1
     union all
     select subscription_id from private.billing_charges where upgraded_from is null and period_start is not null
     group by subscription_id, period_start having count(*) > 1`,
  );
  expect(twice, which).toEqual([]);
  const documents = await billing.sql<VatDocument & Record<string, unknown>>(
    "select kind, number, charge_id, gross_pence, vat_pence from private.vat_documents order by kind, number",
  );
  for (const kind of new Set(documents.map((one) => one.kind))) {
    const numbers = documents.filter((one) => one.kind === kind).map((one) => Number(one.number));
    expect(numbers, `${kind}, ${which}`).toEqual(numbers.map((_, index) => index + 1));
  }
  const payments = await billing.sql<{ charge_id: string; amount: string; refunded: string }>(
    `select r.charge_id, r.amount, coalesce((
       select sum(x.amount) from private.refunds_and_disputes x
       where x.charge_id = r.charge_id and x.kind = 'refund' and x.status = 'succeeded'
     ), 0) as refunded
     from private.payment_records r where r.kind = 'payment' and r.status = 'succeeded'`,
  );
  const sums = (charge: string, kind: string) => {
    const own = documents.filter((one) => one.charge_id === charge && one.kind === kind);
    return {
      count: own.length,
      gross: own.reduce((sum, one) => sum + Number(one.gross_pence), 0),
      vat: own.reduce((sum, one) => sum + Number(one.vat_pence), 0),
    };
  };
  for (const { charge_id: charge, amount, refunded } of payments) {
    const [gross, back] = [Number(amount), Number(refunded)];
    const vat = Math.round(gross / 6);
    expect(sums(charge, "invoice"), which).toEqual({ count: 1, gross, vat });
    const notes = sums(charge, "credit_note");
    expect([notes.gross, notes.vat], which).toEqual([back, Math.round((vat * back) / gross)]);
  }
  expect(documents.filter((one) => one.kind === "invoice")).toHaveLength(payments.length);
}
