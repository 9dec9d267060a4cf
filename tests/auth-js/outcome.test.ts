import { expect, it } from "vitest";
import { suiteOutcome } from "./outcome.ts";

const alone = { passed: ["adds"], failed: ["signs in", "signs out", "by phone"] };
const known = { "no phones": ["by phone"] };

it("is content when the documented tests fail and no others, and counts those that need a server", () => {
  const served = { passed: ["adds", "signs in", "signs out"], failed: ["by phone"] };
  expect(suiteOutcome(alone, served, known)).toEqual({
    figures: "2 of 3 tests that need a server pass, 3 of 4 in all",
    problems: [],
  });
});

it("names what fails besides, what passes by now, and what is gone", () => {
  const served = { passed: ["adds", "by phone"], failed: ["signs in", "signs out"] };
  const more = { ...known, "no birds": ["by pigeon"] };
  expect(suiteOutcome(alone, served, more).problems).toEqual([
    "fails, which docs/compatibility.md does not say: signs in",
    "fails, which docs/compatibility.md does not say: signs out",
    "passes, where docs/compatibility.md says that it fails: by phone",
    "is not in this suite: by pigeon",
  ]);
});
