/** What a code gives for one price. Amounts in minor units. */
export interface CheckoutOffer {
  readonly code: string;
  /** The price it was looked up for. */
  readonly priceId: string;
  readonly currency: string;
  /** Free days before the first payment; null for a discount. */
  readonly trialDays: number | null;
  readonly dueNow: number;
  readonly whileItLasts: number;
  /** Months the discount lasts; null for as long as the membership. */
  readonly months: number | null;
  readonly afterwards: number;
}
