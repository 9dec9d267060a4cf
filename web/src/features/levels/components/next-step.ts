import {
  doneOf,
  type RequirementKind,
  type ProgressCounters,
  type Requirement,
} from "@/domain/level-progress.ts";
import type { LevelNumber } from "@/domain/levels.ts";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { paths } from "@/domain/paths.ts";
import { nextStepStrings, requirementNames } from "../strings.ts";

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

/** How much of each of a level's requirements is done. */
export function requirementProgress(
  requirements: readonly Requirement[],
  counters: ProgressCounters,
): readonly RequirementProgress[] {
  return requirements.map((requirement) => ({
    kind: requirement.kind,
    label: requirementNames[requirement.kind],
    done: doneOf(requirement, counters),
    needed: requirement.needed,
  }));
}

/** The first unfinished requirement as something to do; null when none is left. */
export function nextStep(
  level: LevelNumber,
  requirements: readonly Requirement[],
  counters: ProgressCounters,
  room: string | null = null,
): NextStep | null {
  const open = nextRequirement(requirements, counters);
  return open ? stepTowards(level, open, doneOf(open, counters), room) : null;
}

/** The first requirement that is not met. */
export function nextRequirement(
  requirements: readonly Requirement[],
  counters: ProgressCounters,
): Requirement | undefined {
  return requirements.find((each) => doneOf(each, counters) < each.needed);
}

/**
 * A requirement of a level, done that often, as something to do.
 * @param room the room to open next; without one the step leads to the list.
 */
export function stepTowards(
  level: LevelNumber,
  open: Requirement,
  done: number,
  room: string | null = null,
): NextStep {
  const left = open.needed - done;
  const goal = nextStepStrings.goal(level);
  return {
    ...stepFor(open, done, room),
    remaining: nextStepStrings.remaining(left, goal),
    sentence: nextStepStrings.sentence(taskOf(open, left), goal),
  };
}

function taskOf({ kind, category = "general" }: Requirement, left: number): string {
  const { name } = sections[category];
  switch (kind) {
    case "rooms":
      return nextStepStrings.roomsLeft(left);
    case "submissions":
      return nextStepStrings.submissionsLeft(left);
    case "engagements":
      return nextStepStrings.messagesLeft(left);
    case "articles":
      return nextStepStrings.articlesLeft(left, name);
    case "courses":
      return nextStepStrings.coursesLeft(left, name);
  }
}

function stepFor(
  open: Requirement,
  done: number,
  room: string | null,
): Pick<NextStep, "label" | "to"> {
  const { category, name } = sections[open.category ?? "general"];
  switch (open.kind) {
    case "rooms":
      return {
        label: nextStepStrings.openRoom(done === 0),
        to: room === null ? paths.chats : `${paths.chats}/${encodeURIComponent(room)}`,
      };
    case "submissions":
      return { label: nextStepStrings.postSubmission(done === 0), to: paths.newSubmission };
    case "engagements":
      return { label: nextStepStrings.joinConversation, to: paths.chats };
    case "articles":
      return { label: nextStepStrings.readArticle(name), to: libraryPath(category, "articles") };
    case "courses":
      return { label: nextStepStrings.takeCourse(name), to: libraryPath(category, "courses") };
  }
}
