import { describe, expect, it } from "vitest";
import { dayName, lastDayInLondon, monthName, shortTime, timeAgo } from "./format-time.ts";

describe("a time in words", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each([
    ["2026-11-21T12:00:20Z", "just now"],
    ["2026-11-21T11:59:01Z", "just now"],
    ["2026-11-21T11:59:00Z", "1 minute ago"],
    ["2026-11-21T11:01:00Z", "59 minutes ago"],
    ["2026-11-21T11:00:00Z", "1 hour ago"],
    ["2026-11-20T13:00:00Z", "23 hours ago"],
    ["2026-11-20T11:00:00Z", "yesterday"],
    ["2026-11-18T11:00:00Z", "3 days ago"],
    ["2026-11-03T11:00:00Z", "3 November"],
    ["2025-11-03T11:00:00Z", "3 November 2025"],
  ])("%s: %s", (time, words) => {
    expect(timeAgo(Date.parse(time), now)).toBe(words);
  });
});

const noon = new Date(2026, 10, 21, 12, 0, 0).getTime();

it("names days as one would", () => {
  const start = new Date(2026, 10, 21).getTime();
  expect(dayName(start, noon)).toBe("Today");
  expect(dayName(new Date(2026, 10, 20).getTime(), noon)).toBe("Yesterday");
  expect(dayName(new Date(2026, 2, 3).getTime(), noon)).toBe("Tuesday 3 March");
  expect(dayName(new Date(2025, 2, 3).getTime(), noon)).toMatch(/2025$/);
  expect(shortTime(noon, noon)).toBe("12:00");
  expect(shortTime(new Date(2026, 2, 3, 9).getTime(), noon)).toBe("3 Mar");
});

it("names the month of a day, wherever the reader is", () => {
  expect(monthName("2026-03-01")).toBe("March 2026");
  expect(monthName("2026-03-31")).toBe("March 2026");
});

it("names the seller's last day, and that it is theirs where the reader's ends at another hour", () => {
  // Midnight after 11 June, British Summer Time.
  const ends = "2026-06-11T23:00:00Z";
  expect(lastDayInLondon(Date.parse(ends))).toMatch(/^11 June 2026/);
  // No zone has midnight at this minute, so the reader's day ends at another one wherever this runs.
  expect(lastDayInLondon(Date.parse("2026-06-12T22:52:00Z"))).toBe("12 June 2026 (London time)");
  // In London it is already the next day.
  expect(lastDayInLondon(Date.parse("2026-06-12T23:07:00Z"))).toBe("13 June 2026 (London time)");
});
