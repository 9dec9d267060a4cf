import type { Category } from "@/domain/categories.ts";
import type { Shelf } from "@/domain/library-paths.ts";
import { formatMinutes, pluralise } from "@/lib/format-count.ts";

/** Interface texts of the library that tests and the specification quote, or that several places use. */
export const libraryStrings = {
  noArticles: "No articles yet",
  noCourses: "No courses yet",
  empty: "There's nothing here yet. Please check back soon.",
  articleNotFound: "Article not found",
  courseNotFound: "Course not found",
  subcategoryNotFound: "Subcategory not found",
  markAsRead: "Mark as Read",
  completeArticle: "Complete This Article",
  completed: "Completed",
  closedMeanwhile:
    "You can read this page to its end. What you do on it doesn't count until your membership is active again.",
  enrollFirst: "Enroll to access course modules",
  doneOf: (done: number, count: number) => `${done} of ${count}`,
} as const;

/** The words for each shelf and what stands on it. */
export const shelfWords = {
  articles: {
    title: "Foundations",
    empty: libraryStrings.noArticles,
    what: "articles",
    one: "article",
    done: "read",
    progress: "articles read",
  },
  courses: {
    title: "Courses",
    empty: libraryStrings.noCourses,
    what: "courses",
    one: "course",
    done: "completed",
    progress: "courses completed",
  },
} as const;

export const shelfIntros: Readonly<Record<Category, Readonly<Record<Shelf, string>>>> = {
  general: {
    articles: "How to think, learn and keep at it. Short reads, each with something to do today.",
    courses: "Thinking, learning and habits, lesson by lesson, with an exercise in each.",
  },
  business: {
    articles: "Offers, customers, prices and the routine work that keeps a business going.",
    courses: "Build one part of a business at a time, with an exercise in each lesson.",
  },
  wealth: {
    articles: "Keeping what you earn and letting it grow. Education, not advice.",
    courses: "Money, step by step and in plain words. Education, not advice.",
  },
};

/** A shelf: its home, its subcategories and their pages. */
export const shelfStrings = {
  switch: "Shelves",
  subcategories: "Subcategories",
  nextForYou: "Next for you",
  minutes: formatMinutes,
  loadingHome: "Loading the shelf",
  homeFailed: "We couldn't load this page",
  loading: (what: string) => `Loading the ${what}`,
  loadFailed: (what: string) => `We couldn't load the ${what}`,
  backTo: (name: string) => `Back to ${name}`,
  subcategoryNotFound:
    "There's no subcategory at this address. It may have been renamed or removed.",
  complete: "Complete",
  free: (count: number) => ` · ${count} free`,
  lockedTitle: "The library is locked",
  locked:
    "The library is part of an active membership. Renew it to continue. Everything you've read and completed is kept.",
  membership: "See your membership",
} as const;

export const progressBannerStrings = {
  label: "Your progress",
  done: (done: number, count: number, what: string) => `${done} of ${count} ${what}`,
  /** What the articles or courses here are needed for. */
  toReach: (level: number) => `Reaching Level ${level} takes`,
  toComplete: "Completing all four levels takes",
  levelDone: (purpose: string, needed: number) => `${purpose} ${needed}, and you've done them all.`,
  levelNeeds: (purpose: string, needed: number, left: number, noun: string) =>
    left === needed
      ? `${purpose} ${pluralise(needed, noun)}.`
      : `${purpose} ${needed}: ${pluralise(left, `more ${noun}`)} to go.`,
} as const;

/** Around and in a text that is read. */
export const readingStrings = {
  loading: "Loading the text",
  resume: (percent: number) => `Continue where you left off (${percent}%)`,
  way: "Previous and next",
  previous: "Previous",
  next: "Next",
  previousLabel: (title: string) => `Previous: ${title}`,
  nextLabel: (title: string) => `Next: ${title}`,
  keyboard: "Keyboard",
  keysTitle: "Keyboard shortcuts",
  keysText: "The up and down arrows, Space and Page Down scroll as usual.",
  helpKey: "This list",
  searchKey: "Search",
  searchKeys: ["Ctrl K", "⌘ K"],
  letters: "Use single-letter shortcuts",
  table: "Table",
  taskDone: "Done: ",
  taskOpen: "To do: ",
} as const;
