import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { Tables } from "@/database.types.ts";
import type { Invoice, Refund } from "../model/invoice.ts";

/** Invoices shown at most: more than eight years of months. */
const maxInvoices = 100;

const lines = z.array(
  z.object({
    description: z.nullable(z.string()),
    amount_pence: z.number(),
    period_start: z.number(),
    period_end: z.number(),
  }),
);

/** Why the card provider makes an invoice that is void when the card does not pay: a purchase, a switch of the plan. */
const attempts: readonly (string | null)[] = ["subscription_create", "subscription_update"];

/**
 * Reads the member's invoices, newest first. A purchase or switch that was not paid is left out: nothing came of it, and
 * in a list it looks like a second charge. Throws the database's error.
 */
export async function fetchInvoices(client: BackendClient): Promise<readonly Invoice[]> {
  const { data, error } = await client
    .from("invoices")
    .select("*")
    .order("issued_at", { ascending: false })
    .order("invoice_id")
    .limit(maxInvoices);
  if (error) throw error;
  const bills = data.filter(
    ({ status, reason, attempt_count: tries }) =>
      status !== "void" ||
      // A renewal that was void before any try is one of a pause.
      (!attempts.includes(reason) && (reason !== "subscription_cycle" || tries > 0)),
  );
  return bills.map(toInvoice);
}

/** Reads one of the member's invoices; null when there is none with this id. Throws the database's error. */
export async function fetchInvoice(client: BackendClient, id: string): Promise<Invoice | null> {
  const { data, error } = await client
    .from("invoices")
    .select("*")
    .eq("invoice_id", id)
    .maybeSingle();
  if (error) throw error;
  return data === null ? null : toInvoice(data);
}

const refunds = z.array(z.object({ amount_pence: z.number(), refunded_at: z.string() }));

/** Reads the refunds of one of the member's invoices, oldest first. Throws the database's error. */
export async function fetchInvoiceRefunds(
  client: BackendClient,
  id: string,
): Promise<readonly Refund[]> {
  const { data, error } = await client.rpc("invoice_refunds", { invoice: id });
  if (error) throw error;
  return refunds.parse(data).map((refund) => ({
    amountPence: refund.amount_pence,
    refundedAt: Date.parse(refund.refunded_at),
  }));
}

function toInvoice(row: Tables<"invoices">): Invoice {
  return {
    id: row.invoice_id,
    number: row.number,
    status: row.status,
    currency: row.currency.toUpperCase(),
    totalPence: row.total_pence,
    startingBalancePence: row.starting_balance_pence,
    amountDuePence: row.amount_due_pence,
    amountPaidPence: row.amount_paid_pence,
    amountRefundedPence: row.amount_refunded_pence,
    lines: lines.parse(row.lines).map((line) => ({
      description: line.description,
      amountPence: line.amount_pence,
      periodStart: line.period_start,
      periodEnd: line.period_end,
    })),
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
    issuedAt: Date.parse(row.issued_at),
    paidAt: row.paid_at === null ? null : Date.parse(row.paid_at),
    papers: [
      { kind: "receipt" as const, url: row.receipt_url },
      { kind: "invoice" as const, url: row.hosted_url },
      { kind: "pdf" as const, url: row.pdf_url },
    ].flatMap(({ kind, url }) => (isWebAddress(url) ? [{ kind, url }] : [])),
  };
}

/** False for what a page must not link to, such as a script. */
function isWebAddress(url: string | null | undefined): url is string {
  return typeof url === "string" && /^https?:\/\//.test(url);
}
