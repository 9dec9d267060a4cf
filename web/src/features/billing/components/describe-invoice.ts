import { formatPence } from "@/domain/brand.ts";
import type { Invoice } from "../model/invoice.ts";
import { invoiceStrings, receiptStrings } from "../strings/invoices.ts";
import { formatInterval } from "../strings/plans.ts";

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
    .map(({ amountPence }) => ({ name: discountDescription, amountPence }));
  const carried = carriedBalance(invoice);
  return carried === null ? discounts : [...discounts, carried];
}

/** How the card provider describes one period of a plan, such as `1 × Student Access (at GBP 50.00 / month)`. */
const planDescription =
  /^1 × (?<plan>.+) \(at (?:[A-Z]{3} |\p{Sc})(?<price>[\d,]+\.\d\d) \/ (?<interval>[a-z]+)\)$/u;

/** What a line of an invoice is for: a plan with its price, or the card provider's own description. */
export function invoiceLineText(description: string | null, currency: string): string {
  if (description === null) return invoiceStrings.unknownLine;
  const { plan, price, interval } = planDescription.exec(description)?.groups ?? {};
  if (plan === undefined || price === undefined || interval === undefined) return description;
  const pence = Number(price.replace(/[,.]/g, ""));
  return receiptStrings.planLine(plan, formatPence(pence, currency), formatInterval(interval));
}
