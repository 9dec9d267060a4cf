import type { Category } from "./categories.ts";
import type { LevelNumber } from "./levels.ts";

/** What a member has done so far. Every article and course counts once. */
export interface ProgressCounters {
  readonly chatRoomsOpened: number;
  readonly learningSubmissions: number;
  readonly messageEngagements: number;
  readonly articlesRead: Readonly<Record<Category, number>>;
  readonly coursesCompleted: Readonly<Record<Category, number>>;
}

/** Counters of a member who has done nothing yet. */
export const noProgress: ProgressCounters = {
  chatRoomsOpened: 0,
  learningSubmissions: 0,
  messageEngagements: 0,
  articlesRead: { general: 0, business: 0, wealth: 0 },
  coursesCompleted: { general: 0, business: 0, wealth: 0 },
};

/** What a level can ask for, in the order in which it is shown. */
export const requirementKinds = [
  "rooms",
  "submissions",
  "articles",
  "courses",
  "engagements",
] as const;
export type RequirementKind = (typeof requirementKinds)[number];

/** One thing a level asks for. `category` is there for articles and courses only. */
export interface Requirement {
  readonly kind: RequirementKind;
  readonly needed: number;
  readonly category?: Category;
}

/** What has to be done at each level to complete it: the rows of `level_requirements`. */
export type LevelRequirements = Readonly<Record<LevelNumber, readonly Requirement[]>>;

/** How much of one requirement is done, never more than it asks for. */
export function doneOf(requirement: Requirement, counters: ProgressCounters): number {
  return Math.min(requirement.needed, Math.max(0, countOf(requirement, counters)));
}

function countOf({ kind, category = "general" }: Requirement, counters: ProgressCounters): number {
  switch (kind) {
    case "rooms":
      return counters.chatRoomsOpened;
    case "submissions":
      return counters.learningSubmissions;
    case "engagements":
      return counters.messageEngagements;
    case "articles":
      return counters.articlesRead[category];
    case "courses":
      return counters.coursesCompleted[category];
  }
}

export interface Completion {
  /** Capped sum of everything that counts. */
  readonly done: number;
  readonly total: number;
  /** Whole per cent, 0 to 100. */
  readonly percent: number;
}

/** The progress within one level. A level without requirements is never complete. */
export function levelCompletion(
  requirements: readonly Requirement[],
  counters: ProgressCounters,
): Completion {
  const { done, total } = sumOf(requirements, counters);
  return { done, total, percent: total === 0 ? 0 : Math.floor((done / total) * 100) };
}

/** The progress through all four levels. Each kind and category counts up to the most any level asks for. */
export function overallCompletion(
  requirements: LevelRequirements,
  counters: ProgressCounters,
): Completion {
  const highest = new Map<string, Requirement>();
  for (const each of Object.values(requirements).flat()) {
    const key = `${each.kind} ${each.category ?? ""}`;
    if (each.needed > (highest.get(key)?.needed ?? 0)) highest.set(key, each);
  }
  const { done, total } = sumOf([...highest.values()], counters);
  const percent = total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100));
  return { done, total, percent };
}

function sumOf(requirements: readonly Requirement[], counters: ProgressCounters) {
  return {
    done: requirements.reduce((sum, requirement) => sum + doneOf(requirement, counters), 0),
    total: requirements.reduce((sum, { needed }) => sum + needed, 0),
  };
}
