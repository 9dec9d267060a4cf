import { expect, it } from "vitest";
import { countWords, formatCount } from "./counts.ts";

it("writes counts as a reader wants them", () => {
  expect(formatCount(1_234_567)).toBe("1,234,567");
  expect([0, 1, 2, 12_000].map((count) => countWords(count, "member"))).toEqual([
    "0 members",
    "1 member",
    "2 members",
    "12,000 members",
  ]);
});
