import { isLiveStatus } from "@/domain/subscription-status.ts";

/** The member's subscription, as last synchronised from the card provider. */
export interface Subscription {
  readonly id: string | null;
  readonly customerId: string;
  readonly status: string;
  readonly priceId: string | null;
  /** Epoch seconds. */
  readonly currentPeriodStart: number | null;
  /** Epoch seconds. */
  readonly currentPeriodEnd: number | null;
  readonly cancelAtPeriodEnd: boolean;
  /** Why there is no access although the provider runs it, such as `disputed`; null as a rule. */
  readonly hold: string | null;
  readonly paymentMethodBrand: string | null;
  readonly paymentMethodLast4: string | null;
  /** Price of a change of plan that has not happened yet. */
  readonly pendingPriceId: string | null;
  /** When that change happens, epoch seconds; null while it waits for its payment. */
  readonly pendingFrom: number | null;
  /** Names that change, so that undoing it undoes no other. */
  readonly pendingChangeId: string | null;
  /** Until when a past due membership keeps its access, epoch milliseconds; unset where it has none. */
  readonly graceEndsAt?: number;
}

/** Until when a payment that failed leaves access; null once it does not. */
export function graceEnd(subscription: Subscription | null, now: number): number | null {
  if (subscription?.status !== "past_due") return null;
  const end = subscription.graceEndsAt;
  return end !== undefined && end > now ? end : null;
}

/** True for a paying member. */
export function isActive(subscription: Subscription | null): boolean {
  return subscription !== null && isLiveStatus(subscription.status);
}
