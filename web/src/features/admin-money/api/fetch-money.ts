import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { awaitsEvidence } from "../model/dispute.ts";
import type { PayingAccount, RefundEffect } from "../model/payment.ts";
import { payerColumns, toPayer } from "./fetch-payments.ts";

const text = z.nullable(z.string());

const figuresRow = z.object({
  revenue_pence: z.number(),
  refunded_pence: z.number(),
  vat_pence: z.number(),
  open_disputes: z.number(),
  failed_events: z.number(),
  complimentary: z.number(),
});

/** Money of this month in pence, and what waits for attention. */
export type MoneyTotals = z.infer<typeof figuresRow>;

const payoutRow = z.object({
  affiliate_id: z.string(),
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  payable_pence: z.number(),
  pending_pence: z.number(),
  paid_pence: z.number(),
  least_pence: z.number(),
});

/** What an affiliate is owed, in pence. `payable_pence` is negative while more was paid out than is owed. */
export type PayoutDue = z.infer<typeof payoutRow>;

/** Reads what is owed to affiliates. Throws the database's error. */
export async function fetchPayoutsDue(client: BackendClient): Promise<PayoutDue[]> {
  const { data, error } = await client.rpc("admin_payouts_due");
  if (error) throw error;
  return z.array(payoutRow).parse(data);
}

/** Reads the figures at the top. Throws the database's error. */
export async function fetchMoneyFigures(client: BackendClient): Promise<MoneyTotals> {
  const { data, error } = await client.rpc("admin_money_figures").single();
  if (error) throw error;
  return figuresRow.parse(data);
}

const refundRow = z.object({
  ...payerColumns,
  refund_id: z.string(),
  status: z.string(),
  amount_pence: z.number(),
  currency: z.string(),
  reason: text,
  happened_at: z.string(),
  payment_id: z.string(),
  invoice_number: text,
});
const disputeRow = z.object({
  ...payerColumns,
  dispute_id: z.string(),
  status: z.string(),
  amount_pence: z.number(),
  currency: z.string(),
  reason: text,
  happened_at: z.string(),
  due_at: text,
  payment_id: z.string(),
  invoice_number: text,
  hold: text,
  has_access: z.nullable(z.boolean()),
});

/** A refund or a dispute. Amount in minor units, times in epoch milliseconds. */
export interface Reversal {
  readonly id: string;
  readonly payer: PayingAccount;
  readonly status: string;
  readonly amountPence: number;
  readonly currency: string;
  readonly reason: string | null;
  readonly at: number;
  readonly paymentId: string;
  readonly invoiceNumber: string | null;
}

/** A dispute with what it means. */
export interface Dispute extends Reversal {
  /** Until when the bank takes evidence; null when it takes none. */
  readonly dueAt: number | null;
  readonly hold: string | null;
  /** Whether the member has access now; null for a deleted account. */
  readonly hasAccess: boolean | null;
}

type ReversalRow = Omit<z.infer<typeof refundRow>, "refund_id">;

function toReversal(id: string, row: ReversalRow): Reversal {
  return {
    id,
    payer: toPayer(row),
    status: row.status,
    amountPence: row.amount_pence,
    currency: row.currency.toUpperCase(),
    reason: row.reason,
    at: Date.parse(row.happened_at),
    paymentId: row.payment_id,
    invoiceNumber: row.invoice_number,
  };
}

/** The latest refunds. Throws the database's error. */
export async function fetchRefunds(client: BackendClient): Promise<readonly Reversal[]> {
  const { data, error } = await client.rpc("admin_refunds");
  if (error) throw error;
  return z
    .array(refundRow)
    .parse(data)
    .map((row) => toReversal(row.refund_id, row));
}

const unfinishedRow = z.object({
  ...payerColumns,
  request_id: z.string(),
  payment_id: z.string(),
  amount_pence: z.number(),
  currency: text,
  reason: z.string(),
  requested_at: z.string(),
});

/** A refund that was asked for and whose end is not known. Amount in minor units, time in epoch milliseconds. */
export interface UnfinishedRefund {
  /** Asking again with this id finishes it. */
  readonly requestId: string;
  readonly paymentId: string;
  readonly payer: PayingAccount;
  readonly amountPence: number;
  readonly currency: string;
  readonly reason: string;
  readonly requestedAt: number;
}

/** Refunds whose end is not known, oldest first. Throws the database's error. */
export async function fetchUnfinishedRefunds(
  client: BackendClient,
): Promise<readonly UnfinishedRefund[]> {
  const { data, error } = await client.rpc("admin_unfinished_refunds");
  if (error) throw error;
  return z
    .array(unfinishedRow)
    .parse(data)
    .map((row) => ({
      requestId: row.request_id,
      paymentId: row.payment_id,
      payer: toPayer(row),
      amountPence: row.amount_pence,
      currency: (row.currency ?? "gbp").toUpperCase(),
      reason: row.reason,
      requestedAt: Date.parse(row.requested_at),
    }));
}

/** The latest disputes, those that wait for evidence first. Throws the database's error. */
export async function fetchDisputes(client: BackendClient): Promise<readonly Dispute[]> {
  const { data, error } = await client.rpc("admin_disputes");
  if (error) throw error;
  return z
    .array(disputeRow)
    .parse(data)
    .map((row) => ({
      ...toReversal(row.dispute_id, row),
      dueAt: row.due_at === null || !awaitsEvidence(row.status) ? null : Date.parse(row.due_at),
      hold: row.hold,
      hasAccess: row.has_access,
    }));
}

/** An event of the card provider that could not be applied. Times in epoch milliseconds. */
export interface FailedEvent {
  readonly id: string;
  readonly type: string;
  readonly attempts: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly error: string;
}

/** Failed events, oldest first. Throws the database's error. */
export async function fetchFailedEvents(client: BackendClient): Promise<readonly FailedEvent[]> {
  const { data, error } = await client.rpc("admin_failed_events");
  if (error) throw error;
  return data.map((row) => ({
    id: row.event_id,
    type: row.event_type,
    attempts: row.attempts,
    firstAt: Date.parse(row.first_failed_at),
    lastAt: Date.parse(row.last_failed_at),
    error: row.last_error,
  }));
}

const grantRow = z.object({
  id: z.string(),
  user_id: z.string(),
  email: text,
  first_name: text,
  last_name: text,
  plan_id: z.string(),
  plan_name: z.string(),
  reason: z.string(),
  granted_at: z.string(),
  ends_at: text,
  ended_at: text,
});

/** A membership without payment. Times in epoch milliseconds. */
export interface Grant {
  readonly id: string;
  readonly payer: PayingAccount;
  readonly planName: string;
  readonly reason: string;
  readonly grantedAt: number;
  readonly endsAt: number | null;
  /** Null while it runs. */
  readonly endedAt: number | null;
}

/** Complimentary memberships, current ones first. Throws the database's error. */
export async function fetchGrants(client: BackendClient): Promise<readonly Grant[]> {
  const { data, error } = await client.rpc("admin_complimentary_memberships");
  if (error) throw error;
  const time = (moment: string | null) => (moment === null ? null : Date.parse(moment));
  return z
    .array(grantRow)
    .parse(data)
    .map((row) => ({
      id: row.id,
      payer: toPayer(row),
      planName: row.plan_name,
      reason: row.reason,
      grantedAt: Date.parse(row.granted_at),
      endsAt: time(row.ends_at),
      endedAt: time(row.ended_at),
    }));
}

const refundEffectRow = z.object({ ends: z.string(), ends_at: text, title: text });

/** Reads what a refund of the whole payment ends at once; null when it ends nothing. Throws the database's error. */
export async function fetchRefundEffect(
  client: BackendClient,
  paymentId: string,
): Promise<RefundEffect | null> {
  const { data, error } = await client.rpc("admin_refund_effect", { payment: paymentId });
  if (error) throw error;
  const [first] = z.array(refundEffectRow).parse(data);
  if (!first) return null;
  return {
    ends: first.ends,
    endsAt: first.ends_at === null ? null : Date.parse(first.ends_at),
    title: first.title ?? "",
  };
}
