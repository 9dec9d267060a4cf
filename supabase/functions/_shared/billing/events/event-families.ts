import type Stripe from "stripe";
import type { EventFamily } from "./event-family.ts";
import { onChargeDispute } from "./on-charge-dispute.ts";
import { onChargeSucceededOrRefunded } from "./on-charge-succeeded-or-refunded.ts";
import { onCustomerDeleted } from "./on-customer-deleted.ts";
import { onCustomerSubscription } from "./on-customer-subscription.ts";
import { onInvoicePaidOrPaymentFailed } from "./on-invoice-paid-or-payment-failed.ts";
import { onPayout } from "./on-payout.ts";
import { onRefund } from "./on-refund.ts";
import { onSubscriptionSchedule } from "./on-subscription-schedule.ts";

/** Every event that is handled; any other is answered and changes nothing. */
const eventFamilies: readonly EventFamily[] = [
  onChargeDispute,
  onChargeSucceededOrRefunded,
  onCustomerDeleted,
  onCustomerSubscription,
  onInvoicePaidOrPaymentFailed,
  onPayout,
  onRefund,
  onSubscriptionSchedule,
];

/** The family of an event; undefined for one that is not handled. */
export function familyOf({
  type,
  data: { object },
}: Pick<Stripe.Event, "type" | "data">): EventFamily | undefined {
  if (!("object" in object)) return undefined;
  const about: string = object.object;
  return eventFamilies.find(
    (family) => family.object === about && (family.types?.includes(type) ?? true),
  );
}
