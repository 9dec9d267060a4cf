import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  completionTotal,
  doneOf,
  levelRequirements,
  noProgress,
  overallCompletion,
  type ProgressCounters,
} from "./level-progress.ts";

const everything: ProgressCounters = {
  chatRoomsOpened: 5,
  learningSubmissions: 3,
  messageEngagements: 550,
  articlesRead: { general: 25, business: 25, wealth: 25 },
  coursesCompleted: { general: 5, business: 5, wealth: 5 },
};

describe("overall completion", () => {
  it("is nothing at the start and everything at the end", () => {
    expect(overallCompletion(noProgress)).toEqual({ done: 0, total: 648, percent: 0 });
    expect(overallCompletion(everything)).toEqual({ done: 648, total: 648, percent: 100 });
  });

  it("counts each kind only up to what is asked for", () => {
    const chatty = { ...noProgress, messageEngagements: 9000, chatRoomsOpened: 12 };
    expect(overallCompletion(chatty).done).toBe(555);
  });

  it("rounds to whole per cent", () => {
    const some = { ...noProgress, messageEngagements: 100, learningSubmissions: 1 };
    expect(overallCompletion(some)).toEqual({ done: 101, total: 648, percent: 16 });
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
          const { done, percent } = overallCompletion(counters);
          expect(done).toBeGreaterThanOrEqual(0);
          expect(done).toBeLessThanOrEqual(completionTotal);
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});

describe("what a level asks for", () => {
  it("follows the table of the four levels", () => {
    expect(levelRequirements[1].map((each) => each.needed)).toEqual([5, 3, 50]);
    expect(levelRequirements[2].map((each) => each.needed)).toEqual([25, 5, 150]);
    expect(levelRequirements[3].map((each) => each.needed)).toEqual([25, 5, 350]);
    expect(levelRequirements[4].map((each) => each.needed)).toEqual([25, 5, 550]);
  });

  it("counts articles of the level's own category", () => {
    const reader = { ...noProgress, articlesRead: { general: 30, business: 4, wealth: 0 } };
    const articlesAt = (level: 2 | 3 | 4) => {
      const articles = levelRequirements[level].find((each) => each.kind === "articles");
      return articles ? doneOf(articles, reader) : Number.NaN;
    };
    expect([articlesAt(2), articlesAt(3), articlesAt(4)]).toEqual([25, 4, 0]);
  });
});
