import { formatPence } from "@/domain/brand.ts";
import type { CheckoutOffer } from "../model/code-offer.ts";
import type { PlanInterval } from "../model/plan.ts";
import { discountCodeStrings } from "../strings/checkout.ts";

/** What is charged when, in one sentence. */
export function describeOffer(offer: CheckoutOffer, interval: PlanInterval): string {
  const price = (pence: number) => formatPence(pence, offer.currency);
  const later = price(offer.afterwards);
  if (offer.trialDays !== null) return discountCodeStrings.trial(offer.trialDays, later, interval);
  if (offer.months === null) return discountCodeStrings.always(price(offer.whileItLasts), interval);
  // A discount counts for each payment that begins within its months.
  const periods = interval === "year" ? Math.ceil(offer.months / 12) : offer.months;
  if (periods === 1) return discountCodeStrings.once(price(offer.dueNow), later, interval);
  return discountCodeStrings.forPeriods(price(offer.whileItLasts), periods, later, interval);
}
