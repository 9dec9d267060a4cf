import type { ProgressCounters, Requirement } from "@/domain/level-progress.ts";
import type { LevelNumber } from "@/domain/levels.ts";
import { ProgressBar } from "@/ui/progress.tsx";
import { requirementProgress } from "./next-step.ts";
import { progressStrings } from "../strings.ts";

/**
 * What a level asks for, and how much of it is done. The columns follow the width of the place it stands in, which in a
 * window is not that of the screen.
 */
export function RequirementList({
  level,
  requirements,
  counters,
}: {
  readonly level: LevelNumber;
  readonly requirements: readonly Requirement[];
  readonly counters: ProgressCounters;
}) {
  return (
    <ul
      aria-label={progressStrings.requirements(level)}
      className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4"
    >
      {requirementProgress(requirements, counters).map(({ kind, label, done, needed }) => (
        <li key={kind} className="grid content-end gap-2">
          <span className="flex items-baseline justify-between gap-2 text-sm">
            <span className="text-muted">{label}</span>
            <span className="tabular whitespace-nowrap">
              {progressStrings.doneOf(done, needed)}
            </span>
          </span>
          <ProgressBar
            label={label}
            value={(done / needed) * 100}
            valueText={progressStrings.doneOf(done, needed)}
          />
        </li>
      ))}
    </ul>
  );
}
