import { expect, it } from "vitest";
import { formatChange, formatChangeSince } from "./format-change.ts";

it("says in words how a count moved, and what it was", () => {
  expect(formatChange({ now: 11, before: 7 }, 30)).toBe(
    "4 more than in the 30 days before\u00a0(7)",
  );
  expect(formatChange({ now: 2, before: 1200 }, 30)).toBe(
    "1,198 fewer than in the 30 days before\u00a0(1,200)",
  );
  expect(formatChange({ now: 3, before: 3 }, 7)).toBe("as many as in the 7 days before");
  expect(formatChange({ now: 133, before: 0 }, 30)).toBe("none in the 30 days before");
  expect(formatChange({ now: 0, before: 0 }, 30)).toBe("as many as in the 30 days before");
  expect(formatChangeSince({ now: 3, before: 2 }, 30)).toBe("1 more than 30 days ago\u00a0(2)");
});
