import type { EarnedAchievement } from "../model/achievements.ts";
import { achievementStrings } from "../strings.ts";
import { AchievementBadge } from "./achievement-badge.tsx";

/** What a member has achieved, on their profile. */
export function ProfileAchievements({
  achievements,
}: {
  readonly achievements: readonly EarnedAchievement[];
}) {
  if (achievements.length === 0) return null;
  return (
    <section aria-labelledby="achievements" className="grid gap-3">
      <h2 id="achievements" className="display text-xl">
        {achievementStrings.heading}
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {achievements.map((each) => (
          <AchievementBadge key={each.key} achievement={each} />
        ))}
      </ul>
    </section>
  );
}
