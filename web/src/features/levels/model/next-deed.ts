import {
  doneOf,
  levelRequirements,
  type DeedKind,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import { levelByNumber, type LevelNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";

/** A requirement with how much of it is done. */
export interface Standing {
  readonly kind: DeedKind;
  readonly label: string;
  readonly done: number;
  readonly needed: number;
}

/** The next thing that counts. */
export interface Deed {
  /** On the button. */
  readonly label: string;
  readonly to: string;
  /** Beside it: how much is left. */
  readonly left: string;
}

const labels: Readonly<Record<DeedKind, string>> = {
  rooms: "Chat rooms opened",
  submissions: "Learning submissions",
  engagements: "Message engagements",
  articles: "Articles read",
  courses: "Courses completed",
};

/** Where a member stands against what the level asks for. */
export function standingsOf(level: LevelNumber, counters: ProgressCounters): readonly Standing[] {
  return levelRequirements[level].map((requirement) => ({
    kind: requirement.kind,
    label: labels[requirement.kind],
    done: doneOf(requirement, counters),
    needed: requirement.needed,
  }));
}

const shelves = {
  general: { foundations: paths.knowledgeFoundations, courses: paths.knowledgeCourses },
  business: { foundations: paths.businessFoundations, courses: paths.businessCourses },
  wealth: { foundations: paths.wealthFoundations, courses: paths.wealthCourses },
} as const;

/** The first unfinished requirement as something to do; null when the level is complete. */
export function nextDeed(level: LevelNumber, counters: ProgressCounters): Deed | null {
  const open = levelRequirements[level].find((each) => doneOf(each, counters) < each.needed);
  if (!open) return null;
  const left = open.needed - doneOf(open, counters);
  return { ...deedOf(open, left, levelByNumber(level)?.name ?? ""), left: leftWords(level, left) };
}

function leftWords(level: LevelNumber, left: number): string {
  const goal = level < 4 ? `Level ${level + 1}` : "the end of the whole way";
  return `${left} more towards ${goal}`;
}

function deedOf(open: Requirement, left: number, shelf: string): Omit<Deed, "left"> {
  const category = open.category ?? "general";
  switch (open.kind) {
    case "rooms":
      return {
        label: left === 5 ? "Open your first chat room" : "Open another chat room",
        to: paths.chats,
      };
    case "submissions":
      return {
        label: left === 3 ? "Post your first learning submission" : "Post a learning submission",
        to: paths.newSubmission,
      };
    case "engagements":
      return { label: "Join a conversation", to: paths.chats };
    case "articles":
      return { label: `Read a ${shelf} article`, to: shelves[category].foundations };
    case "courses":
      return { label: `Take a ${shelf} course`, to: shelves[category].courses };
  }
}
