import type { LevelRequirements } from "@/domain/level-progress.ts";
import { sections, type Section, type Shelf } from "@/domain/library-paths.ts";
import type { Category } from "@/domain/categories.ts";
import { maximumLevel } from "@/domain/levels.ts";
import { useLevel, useLevelRequirements } from "@/features/levels/index.ts";
import { ProgressRing } from "@/ui/progress.tsx";
import { progressOf } from "../model/shelf-home.ts";
import { libraryStrings, progressBannerStrings, shelfWords } from "../strings.ts";

export interface ProgressBannerProps {
  readonly category: Category;
  readonly shelf: Shelf;
  readonly done: number;
  readonly count: number;
}

/**
 * What is still asked for here, such as `Reaching Level 3 takes 25: 3 more articles to go.` What a level asks for opens
 * the next one. Null when nothing is, or when the member is beyond that level.
 */
function requirementText(
  requirements: LevelRequirements,
  { level, category }: Section,
  shelf: Shelf,
  done: number,
  current: number,
): string | null {
  if (current > level) return null;
  const needed = requirements[level].find(
    (each) => each.kind === shelf && each.category === category,
  )?.needed;
  if (needed === undefined) return null;
  const left = Math.max(0, needed - done);
  const purpose =
    level === maximumLevel
      ? progressBannerStrings.toComplete
      : progressBannerStrings.toReach(level + 1);
  if (left === 0) return progressBannerStrings.levelDone(purpose, needed);
  return progressBannerStrings.levelNeeds(purpose, needed, left, shelfWords[shelf].one);
}

/** How far one is on a whole shelf. */
export function ProgressBanner({ category, shelf, done, count }: ProgressBannerProps) {
  const { percent } = progressOf(done, count);
  const { data } = useLevelRequirements();
  const level = useLevel();
  return (
    <section
      aria-label={progressBannerStrings.label}
      className="wash flex items-center gap-5 rounded-card border border-line p-5 sm:gap-7 sm:p-6"
    >
      <ProgressRing
        label={`${sections[category].name}: ${shelfWords[shelf].progress}`}
        value={percent}
        valueText={libraryStrings.doneOf(done, count)}
        size={84}
      >
        <span className="tabular text-sm font-medium">{percent}%</span>
      </ProgressRing>
      <div className="grid gap-0.5">
        <p className="display tabular text-xl">
          {progressBannerStrings.done(done, count, shelfWords[shelf].progress)}
        </p>
        <p className="tabular text-sm text-muted">
          {data && level.status === "ready"
            ? requirementText(data, sections[category], shelf, done, level.current)
            : null}
        </p>
      </div>
    </section>
  );
}
