import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  doneOf,
  levelCompletion,
  noProgress,
  overallCompletion,
  type ProgressCounters,
} from "./level-progress.ts";
import { toLevelRequirements } from "./level-requirements.ts";
import {
  specifiedRequirementRows,
  specifiedRequirements,
} from "./testing/specified-requirements.ts";

const everything: ProgressCounters = {
  chatRoomsOpened: 5,
  learningSubmissions: 3,
  messageEngagements: 550,
  articlesRead: { general: 25, business: 25, wealth: 25 },
  coursesCompleted: { general: 5, business: 5, wealth: 5 },
};

describe("overall completion", () => {
  it("is nothing at the start and everything at the end", () => {
    expect(overallCompletion(specifiedRequirements, noProgress)).toEqual({
      done: 0,
      total: 648,
      percent: 0,
    });
    expect(overallCompletion(specifiedRequirements, everything)).toEqual({
      done: 648,
      total: 648,
      percent: 100,
    });
  });

  it("counts each kind only up to what is asked for", () => {
    const chatty = { ...noProgress, messageEngagements: 9000, chatRoomsOpened: 12 };
    expect(overallCompletion(specifiedRequirements, chatty).done).toBe(555);
  });

  it("rounds to whole per cent", () => {
    const some = { ...noProgress, messageEngagements: 100, learningSubmissions: 1 };
    expect(overallCompletion(specifiedRequirements, some)).toEqual({
      done: 101,
      total: 648,
      percent: 16,
    });
  });

  it("never leaves 0 to 100, whatever the counters say", () => {
    const count = fc.integer({ min: -1000, max: 100_000 });
    const shelves = fc.record({ general: count, business: count, wealth: count });
    fc.assert(
      fc.property(
        fc.record({
          chatRoomsOpened: count,
          learningSubmissions: count,
          messageEngagements: count,
          articlesRead: shelves,
          coursesCompleted: shelves,
        }),
        (counters) => {
          const { done, percent } = overallCompletion(specifiedRequirements, counters);
          expect(done).toBeGreaterThanOrEqual(0);
          expect(done).toBeLessThanOrEqual(648);
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});

describe("what a level asks for", () => {
  it("follows the rows of level_requirements, whatever their order", () => {
    expect(toLevelRequirements(specifiedRequirementRows)).toEqual(specifiedRequirements);
    expect(() =>
      toLevelRequirements([{ level: 5, kind: "rooms", category: null, needed: 1 }]),
    ).toThrow();
  });

  it("decides the overall total and the percentages", () => {
    const changed = {
      ...specifiedRequirements,
      1: [{ kind: "rooms", needed: 8 }],
      4: [{ kind: "engagements", needed: 400 }],
    } as const;
    const some = { ...noProgress, chatRoomsOpened: 6, messageEngagements: 500 };
    expect(overallCompletion(changed, some)).toEqual({ done: 406, total: 468, percent: 87 });
    expect(levelCompletion(changed[1], some)).toEqual({ done: 6, total: 8, percent: 75 });
  });

  it("is never complete when a level asks for nothing", () => {
    expect(levelCompletion([], everything).percent).toBe(0);
    expect(overallCompletion({ 1: [], 2: [], 3: [], 4: [] }, everything).percent).toBe(0);
  });

  it("counts articles of the level's own category", () => {
    const reader = { ...noProgress, articlesRead: { general: 30, business: 4, wealth: 0 } };
    const articlesAt = (level: 2 | 3 | 4) => {
      const articles = specifiedRequirements[level].find((each) => each.kind === "articles");
      return articles ? doneOf(articles, reader) : Number.NaN;
    };
    expect([articlesAt(2), articlesAt(3), articlesAt(4)]).toEqual([25, 4, 0]);
  });
});
