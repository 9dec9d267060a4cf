import { isActive, type Subscription } from "./subscription.ts";

/** A plan of the catalogue. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly role: "student" | "mentor";
  /** Minor units: 5000 is £50. */
  readonly amountPence: number;
  readonly currency: string;
  readonly interval: PlanInterval;
  readonly priceId: string;
  /** A price that is not on sale any more, and that its member keeps. */
  readonly isFormer?: boolean;
}

/** How often a plan is paid. */
export type PlanInterval = "month" | "year";

/** What the member's own subscription costs; no amount where it was not kept. */
export interface OwnPrice {
  readonly priceId: string;
  readonly planId: string;
  readonly interval: PlanInterval;
  readonly amountPence: number | null;
  readonly currency: string | null;
}

/** True for the same plan, paid as often, whatever it costs. */
export const isSamePlan = (one: Plan | null, other: Plan): boolean =>
  one !== null && one.id === other.id && one.interval === other.interval;

/** What a year costs less at the yearly price than at twelve monthly ones, in minor units; 0 when it isn't less. */
export function yearlySaving(yearly: Plan, plans: readonly Plan[]): number {
  const monthly = plans.find(({ id, interval }) => id === yearly.id && interval === "month");
  if (monthly === undefined || monthly.currency !== yearly.currency) return 0;
  return Math.max(0, 12 * monthly.amountPence - yearly.amountPence);
}

export interface PlanPitch {
  /** Whom it is for, in one sentence. */
  readonly summary: string;
  /** The line above the list; the difference, not the sum. */
  readonly lead: string;
  readonly points: readonly string[];
}

/**
 * The plan of a subscription: by its price or, once the plan is sold at another price, by what is known of the member's own, else
 * by the role it gives. Null when nothing tells.
 */
export function subscribedPlan(
  subscription: Subscription,
  plans: readonly Plan[],
  role: string,
  own: OwnPrice | null = null,
): Plan | null {
  const byPrice = plans.find(({ priceId }) => priceId === subscription.priceId);
  if (byPrice !== undefined || !isActive(subscription)) return byPrice ?? null;
  if (own?.priceId === subscription.priceId) {
    const plan = plans.find(({ id }) => id === own.planId);
    if (plan !== undefined && own.amountPence !== null && own.currency !== null) {
      const { interval, priceId, amountPence, currency } = own;
      return { ...plan, interval, priceId, amountPence, currency, isFormer: true };
    }
  }
  return plans.find((plan) => plan.role === role) ?? null;
}
