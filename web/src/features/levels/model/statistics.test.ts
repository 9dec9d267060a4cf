import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatProgressEventFilter, parseProgressEventFilter } from "./progress-event.ts";
import { progressEventTitle } from "../strings.ts";
import { historyRanges, toPeriods, toRange, type HistoryDay } from "./history.ts";
import { rankSentence } from "../components/rank-sentence.ts";

describe("the rank in words", () => {
  const rank = { engagements: 1312, percentile: 94.99, members: 1205, label: "Top 10% Engager" };

  it("says what one did and whom one is ahead of, and never promises more", () => {
    expect(rankSentence(rank)).toBe(
      "With 1,312 engagements you are ahead of 94.9% of all 1,205 members.",
    );
    expect(rankSentence({ ...rank, engagements: 1, percentile: 50, members: 2 })).toBe(
      "With 1 engagement you are ahead of 50% of all 2 members.",
    );
    expect(rankSentence({ ...rank, engagements: 7, members: 1 })).toBe(
      "With 7 engagements you are the only member so far.",
    );
    expect(rankSentence({ ...rank, engagements: 0 })).toMatch(/to get your rank\.$/);
  });
});

describe("history", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const day = (date: string, engagements: number): HistoryDay => ({
    day: date,
    engagements,
    rooms: 0,
    submissions: 1,
    articles: 0,
    courses: 0,
  });

  it("has a bar for every day of thirty, the last of them today", () => {
    const periods = toPeriods([day("2026-11-21", 4), day("2026-10-23", 2)], 30, now);
    expect(periods).toHaveLength(30);
    expect(periods[0]).toMatchObject({ label: "23 Oct", engagements: 2, submissions: 1 });
    expect(periods[29]).toMatchObject({ label: "21 Nov", engagements: 4 });
    expect(periods[28]).toMatchObject({ engagements: 0, submissions: 0 });
  });

  it("sums weeks that end today", () => {
    const periods = toPeriods(
      [day("2026-11-21", 1), day("2026-11-15", 2), day("2026-11-14", 4)],
      90,
      now,
    );
    expect(periods).toHaveLength(13);
    expect(periods.at(-1)).toMatchObject({ label: "15 Nov", engagements: 3 });
    expect(periods.at(-2)).toMatchObject({ label: "8 Nov", engagements: 4 });
  });

  it("sums the months of a year", () => {
    const periods = toPeriods(
      [day("2026-11-01", 1), day("2026-11-30", 2), day("2025-12-02", 5)],
      365,
      now,
    );
    expect(periods.at(-1)).toMatchObject({ label: "Nov 2026", engagements: 3 });
    expect(periods.find(({ label }) => label === "Dec 2025")).toMatchObject({ engagements: 5 });
  });

  it("loses nothing of the days within its range", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...historyRanges),
        fc.array(fc.record({ ago: fc.nat(29), count: fc.nat(50) }), { maxLength: 20 }),
        (range, events) => {
          const days = events.map(({ ago, count }) =>
            day(new Date(now - ago * 86_400_000).toISOString().slice(0, 10), count),
          );
          const sum = toPeriods(days, range, now).reduce((all, each) => all + each.engagements, 0);
          expect(sum).toBe(events.reduce((all, { count }) => all + count, 0));
        },
      ),
    );
  });

  it("reads its range from the address", () => {
    expect([toRange("30"), toRange("365"), toRange("7"), toRange(null)]).toEqual([30, 365, 90, 90]);
  });
});

describe("the evidence asked for", () => {
  it("stands in the address and is read from it", () => {
    for (const of of [
      { kind: "rooms", category: null },
      { kind: "articles", category: "general" },
      { kind: "courses", category: "wealth" },
    ] as const) {
      expect(parseProgressEventFilter(formatProgressEventFilter(of))).toEqual(of);
    }
    for (const odd of [null, "", "articles", "rooms-general", "likes", "articles-x"]) {
      expect(parseProgressEventFilter(odd)).toBeNull();
    }
    expect(progressEventTitle({ kind: "articles", category: "general" })).toBe(
      "Knowledge articles read",
    );
  });
});
