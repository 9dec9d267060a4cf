import { ProgressBar } from "@/ui/progress.tsx";
import { progressText } from "./progress-text.ts";
import type { NextAchievement } from "../model/achievements.ts";

/** What there is to achieve next, with how far one is. */
export function NextAchievements({ next }: { readonly next: readonly NextAchievement[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {next.map((each) => (
        <li key={each.key} className="grid gap-2">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{each.title}</span>
            <span className="tabular text-sm text-muted">{progressText(each)}</span>
          </p>
          <ProgressBar
            label={each.title}
            value={(100 * each.count) / each.needed}
            valueText={progressText(each)}
          />
        </li>
      ))}
    </ul>
  );
}
