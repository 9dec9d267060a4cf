import { formatPence } from "@/domain/brand.ts";
import { discountCodeStrings } from "../strings/checkout.ts";

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
  if (offer.trialDays !== null) return discountCodeStrings.trial(offer.trialDays, later);
  if (offer.months === null) return discountCodeStrings.always(price(offer.whileItLasts));
  if (offer.months === 1) return discountCodeStrings.once(price(offer.dueNow), later);
  return discountCodeStrings.forMonths(price(offer.whileItLasts), offer.months, later);
}
