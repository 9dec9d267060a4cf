import { describe, expect, it } from "vitest";
import { describeRequirement, shortfallsAfter, toRequirementSupply } from "./requirement-supply.ts";

const supply = toRequirementSupply([
  { level: 1, kind: "rooms", category: null, needed: 5, available: 5 },
  { level: 1, kind: "submissions", category: null, needed: 3, available: null },
  { level: 2, kind: "articles", category: "general", needed: 25, available: 26 },
  { level: 3, kind: "articles", category: "business", needed: 25, available: 25 },
]);

describe("what is hidden", () => {
  it("is warned about when a level then asks for more than there is", () => {
    const article = { kind: "articles", category: "general" } as const;
    expect(shortfallsAfter(supply, [{ ...article, count: 1 }])).toEqual([]);
    expect(shortfallsAfter(supply, [{ ...article, count: 2 }])).toEqual([
      expect.stringMatching(/^Level 2 asks for 25 Knowledge articles; 24 would be left\./),
    ]);
    expect(
      shortfallsAfter(supply, [
        { kind: "articles", category: "business", count: 1 },
        { kind: "courses", category: "business", count: 9 },
      ]),
    ).toHaveLength(1);
  });

  it("counts a room for the levels that open it only", () => {
    expect(shortfallsAfter(supply, [{ kind: "rooms", minLevel: 2, count: 1 }])).toEqual([]);
    expect(shortfallsAfter(supply, [{ kind: "rooms", minLevel: 1, count: 1 }])).toEqual([
      expect.stringContaining("5 chat rooms; 4 would be left"),
    ]);
  });
});

it("a room that is moved up is missing below its new level only", () => {
  const moved = { kind: "rooms", minLevel: 1, count: 1 } as const;
  expect(shortfallsAfter(supply, [{ ...moved, movedToLevel: 2 }])).toHaveLength(1);
  expect(shortfallsAfter(supply, [{ ...moved, movedToLevel: 1 }])).toEqual([]);
});

it("a requirement is named with its category", () => {
  expect(describeRequirement({ kind: "courses", category: "wealth" }, 1)).toBe("1 Wealth course");
});
