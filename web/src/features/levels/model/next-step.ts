import {
  doneOf,
  type RequirementKind,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import { maximumLevel, type LevelNumber } from "@/domain/levels.ts";
import { libraryPath, sections } from "@/domain/library-paths.ts";
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
  requirements: readonly Requirement[],
  counters: ProgressCounters,
): readonly RequirementProgress[] {
  return requirements.map((requirement) => ({
    kind: requirement.kind,
    label: labels[requirement.kind],
    done: doneOf(requirement, counters),
    needed: requirement.needed,
  }));
}

/** The first unfinished requirement as something to do; null when none is left. */
export function nextStep(
  level: LevelNumber,
  requirements: readonly Requirement[],
  counters: ProgressCounters,
): NextStep | null {
  const open = requirements.find((each) => doneOf(each, counters) < each.needed);
  if (!open) return null;
  const done = doneOf(open, counters);
  const goal = level < maximumLevel ? `Level ${level + 1}` : "completing all four levels";
  return { ...stepFor(open, done), remaining: `${open.needed - done} more towards ${goal}` };
}

function stepFor(open: Requirement, done: number): Omit<NextStep, "remaining"> {
  const { category, name } = sections[open.category ?? "general"];
  switch (open.kind) {
    case "rooms":
      return {
        label: done === 0 ? "Open your first chat room" : "Open another chat room",
        to: paths.chats,
      };
    case "submissions":
      return {
        label: done === 0 ? "Post your first learning submission" : "Post a learning submission",
        to: paths.newSubmission,
      };
    case "engagements":
      return { label: "Join a conversation", to: paths.chats };
    case "articles":
      return { label: `Read a ${name} article`, to: libraryPath(category, "articles") };
    case "courses":
      return { label: `Take a ${name} course`, to: libraryPath(category, "courses") };
  }
}
