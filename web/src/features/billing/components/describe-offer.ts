import { formatPence } from "@/domain/brand.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";
import { discountCodeStrings } from "../strings/checkout.ts";

/** What is charged when, in one sentence. */
export function describeOffer(offer: CheckoutOffer): string {
  const price = (pence: number) => formatPence(pence, offer.currency);
  const later = price(offer.afterwards);
  if (offer.trialDays !== null) return discountCodeStrings.trial(offer.trialDays, later);
  if (offer.months === null) return discountCodeStrings.always(price(offer.whileItLasts));
  if (offer.months === 1) return discountCodeStrings.once(price(offer.dueNow), later);
  return discountCodeStrings.forMonths(price(offer.whileItLasts), offer.months, later);
}
