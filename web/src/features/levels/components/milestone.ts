import { levelByNumber, maximumLevel, type Level, type LevelNumber } from "@/domain/levels.ts";
import { libraryPath } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { levelUpStrings, progressStrings } from "../strings.ts";

/** Where a member stands, as far as the celebration is concerned. */
export interface Position {
  readonly userId: string;
  readonly level: number;
  /** Everything the last level asks for is done. */
  readonly complete: boolean;
}

/** What there is to celebrate. */
export interface Milestone {
  readonly level: Level;
  /** The level whose requirements led to it. */
  readonly completed: LevelNumber;
  readonly title: string;
  /** What it means, in a sentence or two. */
  readonly text: string;
  readonly action: { readonly label: string; readonly to: string };
}

const opened: Readonly<Record<number, { readonly text: string; readonly to: string }>> = {
  2: {
    text: levelUpStrings.opened[2],
    to: libraryPath("general", "articles"),
  },
  3: {
    text: levelUpStrings.opened[3],
    to: libraryPath("business", "articles"),
  },
  4: {
    text: levelUpStrings.opened[4],
    to: libraryPath("wealth", "articles"),
  },
};

/**
 * What happened between two readings of the same member; null when nothing did. Becoming a member
 * is no level-up, and what was reached before one looked is not celebrated late.
 */
export function milestoneBetween(before: Position | null, now: Position): Milestone | null {
  if (before === null || before.userId !== now.userId || before.level < 1) return null;
  if (now.level > before.level) return levelMilestone(now.level);
  const level = levelByNumber(now.level);
  if (!level || level.number !== maximumLevel || before.complete || !now.complete) return null;
  return {
    level,
    completed: maximumLevel,
    title: levelUpStrings.complete,
    text: levelUpStrings.completeText,
    action: { label: progressStrings.show, to: paths.progress },
  };
}

function levelMilestone(number: number): Milestone | null {
  const level = levelByNumber(number);
  const completed = levelByNumber(number - 1);
  const news = opened[number];
  if (!level || !completed || !news) return null;
  return {
    level,
    completed: completed.number,
    title: progressStrings.levelTitle(number, level.name),
    text: news.text,
    action: { label: levelUpStrings.open(level.name), to: news.to },
  };
}
