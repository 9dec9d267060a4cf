import { expect, it } from "vitest";
import { formatCount, formatMinutes, pluralise } from "./format-count.ts";

it("writes counts as a reader wants them", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect([0, 1, 2, 12_000].map((count) => pluralise(count, "member"))).toEqual([
    "0 members",
    "1 member",
    "2 members",
    "12,000 members",
  ]);
});

it("writes minutes as hours from two hours on", () => {
  expect([0, 45, 119, 120, 365, 490].map(formatMinutes)).toEqual([
    "0 min",
    "45 min",
    "119 min",
    "2 h",
    "6 h 5 min",
    "8 h 10 min",
  ]);
});
