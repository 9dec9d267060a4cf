import {
  doneOf,
  levelRequirements,
  type RequirementKind,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import { levelByNumber, type LevelNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";

/** A requirement with how much of it is done. */
export interface RequirementProgress {
  readonly kind: RequirementKind;
  readonly label: string;
  readonly done: number;
  readonly needed: number;
}

/** The next step towards the next level. */
export interface NextStep {
  /** On the button. */
  readonly label: string;
  readonly to: string;
  /** Beside the button: how much is left. */
  readonly remaining: string;
}

const labels: Readonly<Record<RequirementKind, string>> = {
  rooms: "Chat rooms opened",
  submissions: "Learning submissions",
  engagements: "Message engagements",
  articles: "Articles read",
  courses: "Courses completed",
};

/** How much of each of a level's requirements is done. */
export function requirementProgress(
  level: LevelNumber,
  counters: ProgressCounters,
): readonly RequirementProgress[] {
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
export function nextStep(level: LevelNumber, counters: ProgressCounters): NextStep | null {
  const open = levelRequirements[level].find((each) => doneOf(each, counters) < each.needed);
  if (!open) return null;
  const left = open.needed - doneOf(open, counters);
  return {
    ...stepFor(open, left, levelByNumber(level)?.name ?? ""),
    remaining: formatRemaining(level, left),
  };
}

function formatRemaining(level: LevelNumber, left: number): string {
  const goal = level < 4 ? `Level ${level + 1}` : "completing all four levels";
  return `${left} more towards ${goal}`;
}

function stepFor(open: Requirement, left: number, shelf: string): Omit<NextStep, "remaining"> {
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
