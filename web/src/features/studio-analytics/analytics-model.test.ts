import { describe, expect, test } from "vitest";
import {
  percentOf,
  toFunnel,
  totalsByPeriod,
  toTrend,
  type CourseAnalytics,
} from "./model/analytics.ts";

const lesson = (id: string, completions: number, is_published = true) => ({
  id,
  title: id,
  is_published,
  completions,
});

const course: CourseAnalytics = {
  id: "c",
  title: "Study",
  is_published: true,
  enrolments: 10,
  completions: 3,
  median_days: 2,
  questions: 0,
  open_questions: 0,
  modules: [lesson("one", 9), lesson("hidden", 0, false), lesson("two", 4), lesson("three", 5)],
  days: [{ day: "2026-03-01", enrolments: 2, lessons: 1, completions: 0 }],
  cohorts: [],
  today: "2026-03-02",
  comparison: { own_courses: 0, own_rate: null, category_rate: null },
};

describe("the funnel", () => {
  test("marks the lesson before which most members stop", () => {
    const { steps, stopId } = toFunnel(course);
    expect(steps.map(({ id, lost }) => [id, lost])).toEqual([
      ["one", 1],
      ["two", 5],
      ["three", 0],
    ]);
    expect(stopId).toBe("two");
  });

  test("marks nothing when nobody stopped", () => {
    const modules = [lesson("one", 10), lesson("two", 10)];
    expect(toFunnel({ ...course, modules }).stopId).toBeNull();
    expect(toFunnel({ ...course, enrolments: 0, modules: [] })).toEqual({
      steps: [],
      stopId: null,
    });
  });
});

test("the trend has thirty days, also those without events, across months", () => {
  const days = toTrend(course);
  expect(days).toHaveLength(30);
  expect(days[0]?.day).toBe("2026-02-01");
  expect(days.slice(-2)).toEqual([
    course.days[0],
    { day: "2026-03-02", enrolments: 0, lessons: 0, completions: 0 },
  ]);
});

test("the period before is the thirty days before the trend, and nothing older", () => {
  const days = [
    { day: "2026-01-01", reads: 100 },
    { day: "2026-01-02", reads: 3 },
    { day: "2026-01-31", reads: 4 },
    { day: "2026-02-01", reads: 5 },
    { day: "2026-03-02", reads: 6 },
  ];
  const totals = totalsByPeriod(days, "2026-03-02", ({ reads }) => reads);
  expect(totals).toEqual({ now: 11, before: 7 });
});

test("a share of nobody is unknown", () => {
  expect([percentOf(0, 0), percentOf(1, 3)]).toEqual([null, 33]);
});
