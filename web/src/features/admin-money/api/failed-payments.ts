import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type { FailedPayment } from "../model/failed-payment.ts";
import { problemOf, type ActionProblem } from "./actions.ts";
import { payerColumns, toPayer } from "./fetch-payments.ts";

const text = z.nullable(z.string());
const failedRow = z.object({
  ...payerColumns,
  invoice_id: z.string(),
  number: text,
  amount_pence: z.number(),
  currency: z.string(),
  attempts: z.number(),
  next_attempt_at: text,
  failure_code: text,
  issued_at: z.string(),
  membership: z.string(),
  card_last4: text,
});

/** Renewals that could not be paid, oldest first. Throws the database's error. */
export async function fetchFailedPayments(
  client: BackendClient,
): Promise<readonly FailedPayment[]> {
  const { data, error } = await client.rpc("admin_failed_payments");
  if (error) throw error;
  return z
    .array(failedRow)
    .parse(data)
    .map((row) => ({
      id: row.invoice_id,
      payer: toPayer(row),
      number: row.number,
      amountPence: row.amount_pence,
      currency: row.currency.toUpperCase(),
      attempts: row.attempts,
      nextAt: row.next_attempt_at === null ? null : Date.parse(row.next_attempt_at),
      reason: row.failure_code,
      issuedAt: Date.parse(row.issued_at),
      cardLast4: row.card_last4,
      isCardAwaited: row.membership === "past_due",
    }));
}

/** What became of a payment that was tried again. */
export type RetryAnswer =
  | { readonly kind: "paid" }
  /** The bank's code. */
  | { readonly kind: "declined"; readonly reason: string }
  /** No clear answer: it may have been paid. */
  | { readonly kind: "unclear" }
  | ({ readonly kind: "refused" } & ActionProblem);

/** Takes a failed payment again with the card on file; the request id makes a repeated call the same try. */
export async function retryFailedPayment(
  client: BackendClient,
  invoice: string,
  request: string,
): Promise<RetryAnswer> {
  const { status, body } = await callFunction(client, "admin-retry-payment", {
    request_id: request,
    invoice_id: invoice,
  });
  if (status === 200) return { kind: "paid" };
  if (status === 402) return { kind: "declined", reason: textOf(body, "reason") };
  if (status === 0 || status >= 500) return { kind: "unclear" };
  return { kind: "refused", code: textOf(body, "code"), message: textOf(body, "error") };
}

/** Sends the member the way to another card. Returns whether it was sent now, or the problem. */
export async function sendPaymentLink(
  client: BackendClient,
  invoice: string,
): Promise<boolean | ActionProblem> {
  const { data, error } = await client.rpc("admin_send_payment_link", { invoice });
  return error === null ? data : problemOf(error);
}
