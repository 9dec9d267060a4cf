import type { PayingAccount } from "./payment.ts";

/** A renewal that could not be paid. Amount in minor units, times in epoch milliseconds. */
export interface FailedPayment {
  /** The provider's id of the invoice. */
  readonly id: string;
  readonly payer: PayingAccount;
  readonly number: string | null;
  readonly amountPence: number;
  readonly currency: string;
  /** How often the provider has tried by itself. */
  readonly attempts: number;
  /** When it tries again; null when it does not. */
  readonly nextAt: number | null;
  /** The bank's code; null where none is known. */
  readonly reason: string | null;
  readonly issuedAt: number;
  readonly cardLast4: string | null;
  /** False once another card does not bring the membership back. */
  readonly isCardAwaited: boolean;
}
