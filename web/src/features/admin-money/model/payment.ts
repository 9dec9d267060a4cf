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
