import { formatCount, pluralise } from "@/lib/format-count.ts";

/** What stands first on a member's dashboard. */
export const todayStrings = {
  title: "Today",
  loading: "Loading what is new for you",
  failed: "What's new for you couldn't be loaded",
  nextStep: "Your next step",
  allDone: "You have completed all four levels.",
  seeProgress: "See your progress",
  waiting: "Waiting for you",
  nothingWaits:
    "Nothing is waiting for you. Messages, replies, mentions and answers will appear here.",
  questions: (count: number) =>
    `${pluralise(count, "question")} ${count === 1 ? "waits" : "wait"} for your answer`,
  moreWaiting: (count: number) => `${formatCount(count)} more in your notifications`,
  pact: "Your pact",
  noPact: "One thing to do by a set day, with members who will ask about it.",
  continue: "Continue",
  lesson: (course: string, percent: number) => `Lesson in ${course}, ${percent}% done`,
  article: (minutes: number) => `Article, ${minutes} min`,
  rooms: "In your rooms",
  you: "You",
  unnamed: "A member",
} as const;

/** On the cards of the sections. */
export const sectionStrings = {
  /** For mentors and administrators, whose dashboards don't link to Business and Wealth. */
  inTheMenu: "Open it from the menu",
} as const;
