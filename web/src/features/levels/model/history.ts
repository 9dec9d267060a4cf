import { brand } from "@/domain/brand.ts";
import type { DeedKind } from "@/domain/level-progress.ts";

/** What was done on one day. Days without anything are left out. */
export interface HistoryDay extends Readonly<Record<DeedKind, number>> {
  /** `2026-11-21`, as the server counts days. */
  readonly day: string;
}

/** One bar of the charts: a day, a week or a month. */
export interface HistorySpan extends Readonly<Record<DeedKind, number>> {
  readonly label: string;
}

export const historyRanges = [30, 90, 365] as const;
export type HistoryRange = (typeof historyRanges)[number];

export const rangeWords: Readonly<Record<HistoryRange, string>> = {
  30: "30 days",
  90: "90 days",
  365: "1 year",
};

/** What one bar stands for. */
export const spanWords: Readonly<Record<HistoryRange, string>> = {
  30: "Day",
  90: "Week from",
  365: "Month",
};

export const deedKinds = ["engagements", "rooms", "submissions", "articles", "courses"] as const;

const dayMs = 86_400_000;
const nothing = { engagements: 0, rooms: 0, submissions: 0, articles: 0, courses: 0 };
const dayName = new Intl.DateTimeFormat(brand.locale, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const monthName = new Intl.DateTimeFormat(brand.locale, {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** Reads a range from an address; 90 days unless it says otherwise. */
export function toRange(value: string | null): HistoryRange {
  return historyRanges.find((range) => String(range) === value) ?? 90;
}

/**
 * Sums the days up into bars without a gap, the oldest first: thirty days, thirteen weeks that
 * end today, or the months of a year. `now` in epoch milliseconds.
 */
export function spansOf(
  days: readonly HistoryDay[],
  range: HistoryRange,
  now: number,
): readonly HistorySpan[] {
  const spans = new Map<string, HistorySpan>();
  const today = Math.floor(now / dayMs);
  for (let day = today - range + 1; day <= today; day += 1) {
    const label = spanLabel(day, today, range);
    if (!spans.has(label)) spans.set(label, { ...nothing, label });
  }
  for (const each of days) {
    const label = spanLabel(Math.floor(Date.parse(each.day) / dayMs), today, range);
    const span = spans.get(label);
    if (!span) continue;
    spans.set(label, {
      label,
      engagements: span.engagements + each.engagements,
      rooms: span.rooms + each.rooms,
      submissions: span.submissions + each.submissions,
      articles: span.articles + each.articles,
      courses: span.courses + each.courses,
    });
  }
  return [...spans.values()];
}

/** Days since the epoch to the name of the bar they belong to. */
function spanLabel(day: number, today: number, range: HistoryRange): string {
  if (range === 365) return monthName.format(day * dayMs);
  if (range === 30) return dayName.format(day * dayMs);
  const weekEnd = today - 7 * Math.floor((today - day) / 7);
  return dayName.format((weekEnd - 6) * dayMs);
}
