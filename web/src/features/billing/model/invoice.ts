import { formatPence } from "@/domain/brand.ts";
import { invoiceStrings, receiptStrings } from "../strings/invoices.ts";
import { formatInterval } from "../strings/plans.ts";

/** One amount of an invoice. Amounts in minor units. */
export interface InvoiceLine {
  readonly description: string;
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

export type InvoiceTone = "good" | "warn" | "danger" | "plain";

/** What an invoice's status means to the member. */
export function invoiceStatus(
  invoice: Pick<Invoice, "status" | "amountPaidPence" | "amountRefundedPence">,
): { readonly text: string; readonly tone: InvoiceTone } {
  const { amountPaidPence: paid, amountRefundedPence: refunded } = invoice;
  if (invoice.status === "paid" && refunded > 0) {
    return {
      text: refunded < paid ? invoiceStrings.partlyRefunded : invoiceStrings.refunded,
      tone: "plain",
    };
  }
  switch (invoice.status) {
    case "paid":
      return { text: invoiceStrings.paid, tone: "good" };
    case "open":
      return { text: invoiceStrings.open, tone: "warn" };
    case "void":
      return { text: invoiceStrings.void, tone: "plain" };
    case "uncollectible":
      return { text: invoiceStrings.uncollectible, tone: "danger" };
    default:
      return { text: invoice.status, tone: "plain" };
  }
}

/** The amount an invoice is listed with: what was paid, or what is due. */
export function invoiceAmount(
  invoice: Pick<Invoice, "status" | "amountPaidPence" | "amountDuePence">,
): number {
  return invoice.status === "paid" ? invoice.amountPaidPence : invoice.amountDuePence;
}

/** What a debt or credit of the customer changes about an invoice. In minor units; negative is in the member's favour. */
export interface CarriedBalance {
  readonly name: string;
  readonly amountPence: number;
}

/** What stands between the lines of an invoice, discounts included, and the amount due; null when they are the same. */
export function carriedBalance(
  invoice: Pick<Invoice, "totalPence" | "startingBalancePence" | "amountDuePence">,
): CarriedBalance | null {
  const { totalPence: total, startingBalancePence: balance, amountDuePence: due } = invoice;
  const amountPence = due - total;
  if (amountPence === 0) return null;
  if (total < 0) return { name: invoiceStrings.keptAsCredit, amountPence };
  if (due > total) return { name: invoiceStrings.carriedFrom, amountPence };
  return { name: balance < 0 ? invoiceStrings.creditUsed : invoiceStrings.carriedTo, amountPence };
}

/** The description the server gives to the line with what discounts take off. */
const discountDescription = "Discount";

/** What made an invoice smaller or larger than its plan: discounts, credit and debt. Minor units. */
export function invoiceReductions(
  invoice: Pick<Invoice, "lines" | "totalPence" | "startingBalancePence" | "amountDuePence">,
): readonly CarriedBalance[] {
  const discounts = invoice.lines
    .filter(({ description }) => description === discountDescription)
    .map(({ description: name, amountPence }) => ({ name, amountPence }));
  const carried = carriedBalance(invoice);
  return carried === null ? discounts : [...discounts, carried];
}

/** How the card provider describes one period of a plan, such as `1 × Student Access (at GBP 50.00 / month)`. */
const planDescription =
  /^1 × (?<plan>.+) \(at (?:[A-Z]{3} |\p{Sc})(?<price>[\d,]+\.\d\d) \/ (?<interval>[a-z]+)\)$/u;

/** What a line of an invoice is for: a plan with its price, or the card provider's own description. */
export function invoiceLineText(description: string, currency: string): string {
  const { plan, price, interval } = planDescription.exec(description)?.groups ?? {};
  if (plan === undefined || price === undefined || interval === undefined) return description;
  const pence = Number(price.replace(/[,.]/g, ""));
  return receiptStrings.planLine(plan, formatPence(pence, currency), formatInterval(interval));
}
