import { isActive, type Subscription } from "./subscription.ts";

/** A plan of the catalogue. */
export interface Plan {
  readonly id: string;
  readonly name: string;
  readonly role: "student" | "mentor";
  /** Minor units: 5000 is £50. */
  readonly amountPence: number;
  readonly currency: string;
  /** Billing rhythm, such as `month`. */
  readonly interval: string;
  readonly priceId: string;
}

export interface PlanPitch {
  /** Whom it is for, in one sentence. */
  readonly summary: string;
  /** The line above the list; the difference, not the sum. */
  readonly lead: string;
  readonly points: readonly string[];
}

/**
 * The plan of a subscription: by its price or, once the plan is sold at another price, by the role it gives. Null when
 * neither tells.
 */
export function subscribedPlan(
  subscription: Subscription,
  plans: readonly Plan[],
  role: string,
): Plan | null {
  const byPrice = plans.find(({ priceId }) => priceId === subscription.priceId);
  if (byPrice !== undefined || !isActive(subscription)) return byPrice ?? null;
  return plans.find((plan) => plan.role === role) ?? null;
}
