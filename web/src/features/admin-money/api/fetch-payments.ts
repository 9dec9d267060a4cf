import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import type { PayingAccount, Payment } from "../model/payment.ts";

export const paymentsPageSize = 50;

const text = z.nullable(z.string());
/** The columns that name the payer. */
export const payerColumns = { user_id: text, email: text, first_name: text, last_name: text };
const paymentRow = z.object({
  ...payerColumns,
  payment_id: z.string(),
  paid_at: z.string(),
  amount_pence: z.number(),
  refunded_pence: z.number(),
  currency: z.string(),
  state: z.string(),
  invoice_number: text,
  invoice_reason: text,
  card_brand: text,
  card_last4: text,
});
const rows = z.array(paymentRow);

export function toPayer(row: {
  user_id: string | null;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
}): PayingAccount {
  const name = [row.first_name, row.last_name].filter((part) => part !== null && part !== "");
  return { userId: row.user_id, email: row.email, name: name.join(" ") };
}

function toPayment(row: z.infer<typeof paymentRow>): Payment {
  return {
    id: row.payment_id,
    payer: toPayer(row),
    paidAt: Date.parse(row.paid_at),
    paidAtRaw: row.paid_at,
    amountPence: row.amount_pence,
    refundedPence: row.refunded_pence,
    currency: row.currency.toUpperCase(),
    state: row.state,
    invoiceNumber: row.invoice_number,
    invoiceReason: row.invoice_reason,
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
  };
}

/** Empty for everything. Days are `YYYY-MM-DD` in UTC, `until` the last one included. */
export interface PaymentFilters {
  readonly search: string;
  readonly state: string;
  readonly since: string;
  readonly until: string;
}

/** The moment after a day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString();
}

const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));

/** One page of payments, newest first. Throws the database's error. */
export async function fetchPayments(
  client: BackendClient,
  { search, state, since, until }: PaymentFilters,
  after: Payment | null,
  pageSize = paymentsPageSize,
): Promise<readonly Payment[]> {
  const wanted = searchText(search);
  const { data, error } = await client.rpc("admin_payments", {
    ...(wanted !== "" && { search: wanted }),
    ...(state !== "" && { state }),
    ...(isDay(since) && { since }),
    ...(isDay(until) && { until: dayAfter(until) }),
    ...(after !== null && { before_time: after.paidAtRaw, before_id: after.id }),
    page_size: pageSize,
  });
  if (error) throw error;
  return rows.parse(data).map(toPayment);
}

const exportedRow = z.extend(paymentRow, {
  vat_invoice: z.optional(z.string()),
  vat_rate_basis_points: z.optional(z.number()),
  vat_pence: z.optional(z.number()),
  vat_left_pence: z.optional(z.number()),
});

/** A payment with its VAT; null without a VAT invoice. Amounts in minor units. */
export interface ExportedPayment {
  readonly payment: Payment;
  readonly vat: {
    readonly invoice: string;
    readonly rateBasisPoints: number;
    readonly pence: number;
    /** After the notes about refunds. */
    readonly leftPence: number;
  } | null;
}

function vatOf(row: z.infer<typeof exportedRow>): ExportedPayment["vat"] {
  const { vat_invoice: invoice, vat_rate_basis_points: rate = 0, vat_pence: pence = 0 } = row;
  if (invoice === undefined) return null;
  return { invoice, rateBasisPoints: rate, pence, leftPence: row.vat_left_pence ?? pence };
}

/** Whether the list shows less than its whole period. */
export const isNarrowed = ({ search, state }: PaymentFilters): boolean =>
  searchText(search) !== "" || state !== "";

/** The most that one answer holds. */
const longestPage = 200;

/** The ids of all payments that the list shows under these filters. */
async function listedIds(client: BackendClient, filters: PaymentFilters): Promise<Set<string>> {
  const ids = new Set<string>();
  let after: Payment | null = null;
  do {
    const page: readonly Payment[] = await fetchPayments(client, filters, after, longestPage);
    for (const { id } of page) ids.add(id);
    after = page.length < longestPage ? null : (page.at(-1) ?? null);
  } while (after !== null);
  return ids;
}

/** The payments of a period that match the filters, oldest first; audited. Throws the database's error. */
export async function exportPayments(
  client: BackendClient,
  filters: PaymentFilters,
): Promise<readonly ExportedPayment[]> {
  const { since, until } = filters;
  const { data, error } = await client.rpc("admin_export_payments", {
    since,
    until: dayAfter(until),
  });
  if (error) throw error;
  // The list's own answer, so that the file holds what the list shows.
  const listed = isNarrowed(filters) ? await listedIds(client, filters) : null;
  return z
    .array(exportedRow)
    .parse(data)
    .map((row) => ({ payment: toPayment(row), vat: vatOf(row) }))
    .filter(({ payment }) => listed === null || listed.has(payment.id));
}
