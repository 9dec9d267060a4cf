/** A plan that is on sale. Amounts in minor units. */
export interface SoldPlan {
  readonly role: "student" | "mentor";
  readonly name: string;
  readonly currency: string;
  readonly monthlyPence: number;
  /** Null while it is not sold by the year. */
  readonly yearlyPence: number | null;
}
