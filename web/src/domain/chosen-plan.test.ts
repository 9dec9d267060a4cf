import { expect, it } from "vitest";
import { chosenPlanIn, withChosenPlan } from "./chosen-plan.ts";

it.each([
  ["?plan=mentor", "mentor"],
  ["?a=1&plan=student", "student"],
  ["", null],
  ["?plan=", null],
  ["?plan=admin", null],
  ["?plan=Mentor", null],
  ["?plan=mentor%22%3E%3Cscript%3E", null],
])("%j names %j", (search, plan) => {
  expect(chosenPlanIn(search)).toBe(plan);
});

it("is carried in the query, and only when there is one", () => {
  expect(withChosenPlan("/signup", "mentor")).toBe("/signup?plan=mentor");
  expect(withChosenPlan("/signup", null)).toBe("/signup");
});
