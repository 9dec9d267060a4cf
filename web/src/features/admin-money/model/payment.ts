/** Who paid; the account may have been deleted since. */
export interface PayingAccount {
  readonly userId: string | null;
  readonly email: string | null;
  /** First and last name; empty without them. */
  readonly name: string;
}

/** A payment that succeeded. Amounts in minor units, times in epoch milliseconds. */
export interface Payment {
  readonly id: string;
  readonly payer: PayingAccount;
  readonly paidAt: number;
  /** As the database gave it, exact to the microsecond. */
  readonly paidAtRaw: string;
  readonly amountPence: number;
  readonly refundedPence: number;
  readonly currency: string;
  readonly state: string;
  readonly invoiceNumber: string | null;
  readonly invoiceReason: string | null;
  readonly cardBrand: string | null;
  readonly cardLast4: string | null;
}

/** What can still be refunded, in minor units. A disputed payment is the bank's to decide. */
export function refundable({ state, amountPence, refundedPence }: Payment): number {
  return state === "disputed" || state === "dispute_lost" ? 0 : amountPence - refundedPence;
}

/** A payment as it stands once this much of it, in minor units, is refunded as well. */
export function afterRefund(payment: Payment, pence: number): Payment {
  const refundedPence = payment.refundedPence + pence;
  const isWhole = refundedPence >= payment.amountPence;
  return { ...payment, refundedPence, state: isWhole ? "refunded" : "partly_refunded" };
}

/** A refund that the provider took. */
export interface RefundMade {
  readonly amountPence: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The bank has yet to confirm it. */
  readonly isPending: boolean;
}

/** What a refund of a whole payment ends at once. */
export interface RefundEffect {
  /** `membership`, `plan` (of a membership that goes on), `course` or `gift`. */
  readonly ends: string;
  /** Until when it would have gone on, in epoch milliseconds; null for a plan, a course, and a code that nobody has used. */
  readonly endsAt: number | null;
  /** The course's or the gift's; the plan before the upgrade; empty for a membership. */
  readonly title: string;
}
