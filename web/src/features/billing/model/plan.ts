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

/** What each kind of plan gives. */
export const planPitches: Readonly<Record<Plan["role"], PlanPitch>> = {
  student: {
    summary: "For learning with other members through four levels.",
    lead: "Everything members get:",
    points: [
      "Daily chat rooms and learning posts with other members",
      "The knowledge library and targeted courses",
      "Business and Wealth, opened level by level",
      "Achievements and the affiliate system",
    ],
  },
  mentor: {
    summary: "For members who also want to teach and be found.",
    lead: "Everything in Student Access, plus:",
    points: [
      "Write articles and create courses",
      "See how your students are getting on",
      "Collaborations and a place in the directory",
      "Advanced analytics and monetisation training",
    ],
  },
};

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

/** `month` → `per month`. */
export function formatInterval(interval: string): string {
  return `per ${interval}`;
}
