/** Who sold or bought, as a document says it. */
export interface VatParty {
  readonly name: string | null;
  /** Only of buyers. */
  readonly email: string | null;
  /** With line breaks. */
  readonly address: string | null;
  readonly companyNumber: string | null;
  readonly vatNumber: string | null;
}

/** A VAT invoice for a payment, a credit note for a refund, or a debit note for a refund that failed. Amounts in minor units. */
export interface VatDocument {
  /** Such as `INV-000001`. */
  readonly number: string;
  readonly kind: "invoice" | "credit_note" | "debit_note";
  /** Number of the invoice that a note is about. */
  readonly corrects: string | null;
  readonly paymentId: string;
  /** The card provider's invoice; null for a course. */
  readonly invoiceId: string | null;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** When it was paid or refunded; epoch milliseconds. */
  readonly suppliedAt: number;
  readonly description: string;
  /** Epoch seconds. */
  readonly period: { readonly start: number; readonly end: number } | null;
  readonly currency: string;
  readonly grossPence: number;
  readonly netPence: number;
  readonly vatPence: number;
  readonly rateBasisPoints: number;
  readonly seller: VatParty;
  readonly buyer: VatParty;
  /** The business the buyer bought for. */
  readonly buyerBusiness: string | null;
}

/** What a member wants on VAT invoices; empty is nothing. */
export interface BuyerDetails {
  readonly businessName: string;
  readonly address: string;
  readonly vatNumber: string;
}
