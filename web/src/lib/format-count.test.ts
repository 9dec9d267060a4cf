import { expect, it } from "vitest";
import { pluralise, formatCount } from "./format-count.ts";

it("writes counts as a reader wants them", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect([0, 1, 2, 12_000].map((count) => pluralise(count, "member"))).toEqual([
    "0 members",
    "1 member",
    "2 members",
    "12,000 members",
  ]);
});
