import { categories, type Category } from "./categories.ts";
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

export type RequirementKind = "rooms" | "submissions" | "engagements" | "articles" | "courses";

/** One thing a level asks for. `category` is there for articles and courses only. */
export interface Requirement {
  readonly kind: RequirementKind;
  readonly needed: number;
  readonly category?: Category;
}

const shelf = (category: Category, engagements: number): readonly Requirement[] => [
  { kind: "articles", needed: 25, category },
  { kind: "courses", needed: 5, category },
  { kind: "engagements", needed: engagements },
];

/** What has to be done at a level to leave it behind. */
export const levelRequirements: Readonly<Record<LevelNumber, readonly Requirement[]>> = {
  1: [
    { kind: "rooms", needed: 5 },
    { kind: "submissions", needed: 3 },
    { kind: "engagements", needed: 50 },
  ],
  2: shelf("general", 150),
  3: shelf("business", 350),
  4: shelf("wealth", 550),
};

/** 5 rooms, 3 submissions, 550 engagements, 3 × 25 articles and 3 × 5 courses. */
export const completionTotal = 648;
const limits = { rooms: 5, submissions: 3, engagements: 550, articles: 25, courses: 5 } as const;

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

/** The progress of a member within one level, in the same measure. */
export function levelCompletion(level: LevelNumber, counters: ProgressCounters): Completion {
  const all = levelRequirements[level];
  const done = all.reduce((sum, requirement) => sum + doneOf(requirement, counters), 0);
  const total = all.reduce((sum, { needed }) => sum + needed, 0);
  return { done, total, percent: done >= total ? 100 : Math.floor((done / total) * 100) };
}

/** The progress of a member through all four levels. */
export function overallCompletion(counters: ProgressCounters): Completion {
  const shares = categories.flatMap((category): Requirement[] => [
    { kind: "articles", needed: limits.articles, category },
    { kind: "courses", needed: limits.courses, category },
  ]);
  const all: Requirement[] = [
    { kind: "rooms", needed: limits.rooms },
    { kind: "submissions", needed: limits.submissions },
    { kind: "engagements", needed: limits.engagements },
    ...shares,
  ];
  const done = all.reduce((sum, requirement) => sum + doneOf(requirement, counters), 0);
  return {
    done,
    total: completionTotal,
    percent: Math.min(100, Math.round((done / completionTotal) * 100)),
  };
}
