import { expect, it } from "vitest";
import { troublesOutcome } from "./outcome.ts";

it("counts those apart that were not told as documented", () => {
  const problems = ["mail down: MailIsStuck is missing"];
  expect(troublesOutcome({ tried: 8, asDocumented: 7, slowestMs: 12_340, problems })).toEqual({
    figures: "8 troubles tried, 7 as documented; the slowest told after 12.3 s",
    problems,
  });
});

it("fails when no trouble was tried", () => {
  const nothing = { tried: 0, asDocumented: 0, slowestMs: 0, problems: [] };
  expect(troublesOutcome(nothing).problems).toEqual(["no trouble was tried"]);
});
