import type { LevelRequirements } from "@/domain/level-progress.ts";
import { sections, type Section, type Shelf } from "@/domain/library-paths.ts";
import type { Category } from "@/domain/categories.ts";
import { useLevelRequirements } from "@/features/levels/index.ts";
import { ProgressRing } from "@/ui/progress.tsx";
import { progressOf } from "../model/shelf-home.ts";
import { libraryStrings, progressBannerStrings, shelfWords } from "../strings.ts";

export interface ProgressBannerProps {
  readonly category: Category;
  readonly shelf: Shelf;
  readonly done: number;
  readonly count: number;
}

/** What a level still asks for here, such as `Level 2 needs 25: 3 more articles to go.`; null when no level does. */
function requirementText(
  requirements: LevelRequirements,
  { level, category }: Section,
  shelf: Shelf,
  done: number,
): string | null {
  const needed = requirements[level].find(
    (each) => each.kind === shelf && each.category === category,
  )?.needed;
  if (needed === undefined) return null;
  const left = Math.max(0, needed - done);
  if (left === 0) return progressBannerStrings.levelDone(level, needed);
  return progressBannerStrings.levelNeeds(level, needed, left, shelfWords[shelf].one);
}

/** How far one is on a whole shelf. */
export function ProgressBanner({ category, shelf, done, count }: ProgressBannerProps) {
  const { percent } = progressOf(done, count);
  const { data } = useLevelRequirements();
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
          {data ? requirementText(data, sections[category], shelf, done) : null}
        </p>
      </div>
    </section>
  );
}
