/** What the owner decides about contracts with consumers. */
export interface BillingRules {
  /** After a withdrawal, the days that a membership was used are not refunded. */
  readonly refundsInProportion: boolean;
  /** Days before a renewal on which its member is told; 0 is never. */
  readonly reminderDays: number;
  /** Days of access after a renewal's payment failed; 0 is none. */
  readonly graceDays: number;
  /** Months in any twelve that a membership may be paused; 0 is none. */
  readonly pauseMonths: number;
  /** Members pay in the provider's Payment Element, with its wallets. */
  readonly paymentElement: boolean;
}

export const defaultBillingRules: BillingRules = {
  refundsInProportion: false,
  reminderDays: 0,
  graceDays: 0,
  pauseMonths: 3,
  paymentElement: false,
};
