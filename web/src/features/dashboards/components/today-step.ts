import { maximumLevel } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { stepTowards } from "@/features/levels/index.ts";
import { todayStrings } from "../strings.ts";
import type { Today } from "../model/today.ts";

/** One sentence and one button. */
export interface TodayStep {
  readonly sentence: string;
  readonly label: string;
  readonly to: string;
}

/** What moves the level next; null while there is nothing to say. */
export function todayStep({ level, next_step: next }: Today): TodayStep | null {
  if (next !== null) {
    const { kind, needed, category } = next;
    const requirement = { kind, needed, ...(category === null ? {} : { category }) };
    return stepTowards(next.level, requirement, next.done, next.room);
  }
  if (level < maximumLevel) return null;
  return { sentence: todayStrings.allDone, label: todayStrings.seeProgress, to: paths.progress };
}
