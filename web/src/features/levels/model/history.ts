import { brand } from "@/domain/brand.ts";
import type { RequirementKind } from "@/domain/level-progress.ts";
import { lazily } from "@/lib/lazily.ts";

/** What was done on one day. Days without anything are left out. */
export interface HistoryDay extends Readonly<Record<RequirementKind, number>> {
  /** `2026-11-21`, as the server counts days. */
  readonly day: string;
}

/** One bar of the charts: a day, a week or a month. */
export interface HistoryPeriod extends Readonly<Record<RequirementKind, number>> {
  readonly label: string;
}

export const historyRanges = [30, 90, 365] as const;
export type HistoryRange = (typeof historyRanges)[number];

/** The kinds in the order of the charts. */
export const chartedKinds = ["engagements", "rooms", "submissions", "articles", "courses"] as const;

/** Days are the server's, which counts in UTC. */
const format = (options: Intl.DateTimeFormatOptions) =>
  lazily(() => new Intl.DateTimeFormat(brand.locale, { ...options, timeZone: "UTC" }));

const dayMs = 86_400_000;
const nothing = { engagements: 0, rooms: 0, submissions: 0, articles: 0, courses: 0 };
const dayName = format({ day: "numeric", month: "short" });
const monthName = format({ month: "short", year: "numeric" });

/** Reads a range from an address; 90 days unless it says otherwise. */
export function toRange(value: string | null): HistoryRange {
  return historyRanges.find((range) => String(range) === value) ?? 90;
}

/**
 * Sums the days up into bars without a gap, the oldest first: thirty days, thirteen weeks that
 * end today, or the months of a year. `now` in epoch milliseconds.
 */
export function toPeriods(
  days: readonly HistoryDay[],
  range: HistoryRange,
  now: number,
): readonly HistoryPeriod[] {
  const periods = new Map<string, HistoryPeriod>();
  const today = Math.floor(now / dayMs);
  for (let day = today - range + 1; day <= today; day += 1) {
    const label = periodLabel(day, today, range);
    if (!periods.has(label)) periods.set(label, { ...nothing, label });
  }
  for (const each of days) {
    const label = periodLabel(Math.floor(Date.parse(each.day) / dayMs), today, range);
    const period = periods.get(label);
    if (!period) continue;
    periods.set(label, {
      label,
      engagements: period.engagements + each.engagements,
      rooms: period.rooms + each.rooms,
      submissions: period.submissions + each.submissions,
      articles: period.articles + each.articles,
      courses: period.courses + each.courses,
    });
  }
  return [...periods.values()];
}

/** Days since the epoch to the name of the bar they belong to. */
function periodLabel(day: number, today: number, range: HistoryRange): string {
  if (range === 365) return monthName().format(day * dayMs);
  if (range === 30) return dayName().format(day * dayMs);
  const weekEnd = today - 7 * Math.floor((today - day) / 7);
  return dayName().format((weekEnd - 6) * dayMs);
}
