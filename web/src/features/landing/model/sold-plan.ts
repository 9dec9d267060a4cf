/** A plan that is on sale. Amounts in minor units. */
export interface SoldPlan {
  readonly role: "student" | "mentor";
  readonly name: string;
  readonly currency: string;
  readonly monthlyPence: number;
  /** Null while it is not sold by the year. */
  readonly yearlyPence: number | null;
}

/** The catalogue as the product comes with it, for which the page's fixed figures were written. */
export const firstPlans: readonly SoldPlan[] = [
  {
    role: "student",
    name: "Student Access",
    currency: "GBP",
    monthlyPence: 5000,
    yearlyPence: null,
  },
  {
    role: "mentor",
    name: "Mentor Access",
    currency: "GBP",
    monthlyPence: 10_000,
    yearlyPence: null,
  },
];

/** Whether a plan is still sold at the monthly price it began with. */
export function isFirstPrice(plan: SoldPlan): boolean {
  const first = firstPlans.find(({ role }) => role === plan.role);
  return first?.monthlyPence === plan.monthlyPence && first.currency === plan.currency;
}
