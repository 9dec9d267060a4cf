import type { Achievements, NextAchievement } from "../model/achievements.ts";
import { achievementStrings, measureNouns } from "../strings.ts";

/** `2 of 5 courses`, `0 of 1 room`. */
export function progressText({ count, needed, measure }: NextAchievement): string {
  const [one, many] = measureNouns[measure];
  return achievementStrings.progress(Math.min(count, needed), needed, needed === 1 ? one : many);
}

/** The streak in one sentence; null without one. */
export function streakText({ weeks, is_active_this_week: active }: Achievements["streak"]) {
  return weeks === 0 ? null : achievementStrings.streak(weeks, active);
}
