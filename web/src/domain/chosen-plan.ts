/** The plans a link may name, by the role they give; paid monthly unless it says otherwise. */
const choosablePlans = ["student", "mentor", "student-yearly", "mentor-yearly"] as const;

/** The plan a visitor chose on the front page, and how to pay for it. */
export type ChosenPlan = (typeof choosablePlans)[number];

const param = "plan";

/** The plan a text names; null for anything that is no plan. */
export function asChosenPlan(given: unknown): ChosenPlan | null {
  return choosablePlans.find((plan) => plan === given) ?? null;
}

/** The plan named in the query of an address; null for none, or for anything that is no plan. */
export function chosenPlanIn(search: string): ChosenPlan | null {
  return asChosenPlan(new URLSearchParams(search).get(param));
}

/** The path with the chosen plan in its query, so that it survives the way to the checkout. */
export function withChosenPlan(path: string, plan: ChosenPlan | null): string {
  return plan === null ? path : `${path}?${param}=${plan}`;
}

const courseParam = "course";

/** Slug of the course that a visitor is about to buy; null for none. */
export function chosenCourseIn(search: string): string | null {
  const given = new URLSearchParams(search).get(courseParam) ?? "";
  return /^[a-z0-9-]{3,80}$/.test(given) ? given : null;
}

/** The path with a course in its query, so that the visitor comes back to it with an account. */
export function withChosenCourse(path: string, slug: string): string {
  return `${path}?${courseParam}=${slug}`;
}

/** True when the query of an address asks for the form for another card. */
export function asksForCardForm(search: string): boolean {
  return new URLSearchParams(search).get("card") === "update";
}

/** The path with the plan, the course or the card form that the query of the present address names. */
export function withChoiceIn(search: string, path: string): string {
  if (asksForCardForm(search)) return `${path}?card=update`;
  const course = chosenCourseIn(search);
  return course === null
    ? withChosenPlan(path, chosenPlanIn(search))
    : withChosenCourse(path, course);
}
