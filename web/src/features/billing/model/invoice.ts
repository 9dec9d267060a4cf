/** One amount of an invoice. Amounts in minor units. */
export interface InvoiceLine {
  /** Null when the card provider gave none. */
  readonly description: string | null;
  readonly amountPence: number;
  /** Epoch seconds. */
  readonly periodStart: number;
  /** Epoch seconds. */
  readonly periodEnd: number;
}

/** An invoice or, once paid, a receipt. Amounts in minor units. */
export interface Invoice {
  readonly id: string;
  readonly number: string | null;
  readonly status: string;
  readonly currency: string;
  readonly totalPence: number;
  /** Credit used or left over from before; negative is in the member's favour. */
  readonly startingBalancePence: number;
  readonly amountDuePence: number;
  readonly amountPaidPence: number;
  readonly amountRefundedPence: number;
  readonly lines: readonly InvoiceLine[];
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** Epoch milliseconds. */
  readonly paidAt: number | null;
  /** The card provider's own papers, at its addresses. */
  readonly papers: readonly ProviderPaper[];
}

/** A paper of the card provider. */
export interface ProviderPaper {
  readonly kind: "receipt" | "invoice" | "pdf";
  readonly url: string;
}

/** Money that came back. The amount in minor units. */
export interface Refund {
  readonly amountPence: number;
  /** Epoch milliseconds; null while it is not known. */
  readonly refundedAt: number | null;
}

/**
 * What came back of an invoice, each refund with its day. The invoice's own sum decides: while the days are not known, or
 * don't come to it, it is one refund without a day.
 */
export function refundsOf(
  { amountRefundedPence: sum }: Pick<Invoice, "amountRefundedPence">,
  known: readonly Refund[],
): readonly Refund[] {
  if (sum === 0) return [];
  const isComplete = known.reduce((all, { amountPence }) => all + amountPence, 0) === sum;
  return isComplete ? known : [{ amountPence: sum, refundedAt: null }];
}

/** The amount an invoice is listed with: what was paid, or what is due. */
export function invoiceAmount(
  invoice: Pick<Invoice, "status" | "amountPaidPence" | "amountDuePence">,
): number {
  return invoice.status === "paid" ? invoice.amountPaidPence : invoice.amountDuePence;
}
