import {
  doneOf,
  type RequirementKind,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import { maximumLevel, type LevelNumber } from "@/domain/levels.ts";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { pluralise } from "@/lib/format-count.ts";

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
  /** How much is left, such as `2 more towards Level 2`. */
  readonly remaining: string;
  /** The step as a sentence, such as `Open 2 more chat rooms on your way to Level 2.` */
  readonly sentence: string;
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
  return open ? stepTowards(level, open, doneOf(open, counters)) : null;
}

/** A requirement of a level, done that often, as something to do. */
export function stepTowards(level: LevelNumber, open: Requirement, done: number): NextStep {
  const left = open.needed - done;
  const goal = level < maximumLevel ? `Level ${level + 1}` : "completing all four levels";
  return {
    ...stepFor(open, done),
    remaining: `${left} more towards ${goal}`,
    sentence: `${taskOf(open, left)} on your way to ${goal}.`,
  };
}

function taskOf({ kind, category = "general" }: Requirement, left: number): string {
  const { name } = sections[category];
  const more = (thing: string) => pluralise(left, `more ${thing}`);
  switch (kind) {
    case "rooms":
      return `Open ${more("chat room")}`;
    case "submissions":
      return `Post ${more("learning submission")}`;
    case "engagements":
      return `Write or like ${more("message")}`;
    case "articles":
      return `Read ${more(`${name} article`)}`;
    case "courses":
      return `Complete ${more(`${name} course`)}`;
  }
}

function stepFor(open: Requirement, done: number): Pick<NextStep, "label" | "to"> {
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
