import { formatPence } from "@/domain/brand.ts";
import { pluralise } from "@/lib/format-count.ts";

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

/** What is charged when, in one sentence. */
export function describeOffer(offer: CheckoutOffer): string {
  const price = (pence: number) => formatPence(pence, offer.currency);
  const later = price(offer.afterwards);
  if (offer.trialDays !== null) {
    return `${pluralise(offer.trialDays, "day")} free, then ${later} each month. Cancel before they end and you pay nothing.`;
  }
  if (offer.months === null)
    return `${price(offer.whileItLasts)} each month for as long as you stay.`;
  if (offer.months === 1) return `${price(offer.dueNow)} today, then ${later} each month.`;
  return `${price(offer.whileItLasts)} each month for ${offer.months} months, then ${later} each month.`;
}
