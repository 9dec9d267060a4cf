/** The plans a link may name, by the role they give. */
const choosablePlans = ["student", "mentor"] as const;

/** The plan a visitor chose on the front page. */
export type ChosenPlan = (typeof choosablePlans)[number];

const param = "plan";

/** The plan named in the query of an address; null for none, or for anything that is no plan. */
export function chosenPlanIn(search: string): ChosenPlan | null {
  const given = new URLSearchParams(search).get(param);
  return choosablePlans.find((plan) => plan === given) ?? null;
}

/** The path with the chosen plan in its query, so that it survives the way to the checkout. */
export function withChosenPlan(path: string, plan: ChosenPlan | null): string {
  return plan === null ? path : `${path}?${param}=${plan}`;
}
