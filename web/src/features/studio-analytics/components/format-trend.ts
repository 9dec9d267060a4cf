import { trendDays, type TrendTotals } from "../model/analytics.ts";
import { analyticsStrings } from "../strings.ts";

/** Such as `4 more than in the 30 days before (8)`. */
export function formatTrend({ now, before }: TrendTotals): string {
  const difference = now - before;
  return difference === 0
    ? analyticsStrings.trendSame(trendDays)
    : analyticsStrings.trendChanged(difference, trendDays, before);
}
