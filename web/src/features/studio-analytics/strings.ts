import type { Category } from "@/domain/categories.ts";
import { toAppError, tryAgain } from "@/lib/errors.ts";
import { formatCount, pluralise } from "@/lib/format-count.ts";
import type { TextSources } from "./model/text-figures.ts";

/** From where members came, as the analytics name it. */
export const sourceNames: Readonly<Record<TextSources[number]["source"], string>> = {
  category: "The category's pages",
  search: "Search",
  room: "A link in a room or the feed",
  today: "Home: Today and Continue",
  profile: "A member's profile",
  other: "Elsewhere, or a link from outside",
  unknown: "Before this was counted",
};

export const categoryNames: Readonly<Record<Category, string>> = {
  general: "Knowledge",
  business: "Business",
  wealth: "Wealth",
};

/** Names of the figures, above their column or beside a single number. */
export const figureNames = {
  article: "Article",
  readers: "Readers",
  reads: "Read to the end",
  /** Of several articles, each reading of one by a member. */
  articlesRead: "Articles read to the end",
  course: "Course",
  enrolments: "Enrolments",
  completed: "Completed",
  lessonsCompleted: "Lessons completed",
  coursesCompleted: "Courses completed",
  share: "Share",
  questions: "Questions",
  openQuestions: "Open questions",
  category: "Category",
  day: "Day",
} as const;

/** What the analytics of an article and of a course have in common. */
export const analyticsStrings = {
  backLink: "Analytics",
  backToAnalytics: "Back to analytics",
  loadingFigures: "Loading the figures",
  exportCsv: "Export CSV",
  withoutAnswer: (questions: number) => `${formatCount(questions)} without an answer`,
  daysTable: "Days as a table",
  chartLabel: (figure: string, count: number, days: number) =>
    `${figure}: ${count} in ${days} days. The figures are in the table below.`,
  comparedCategory: "The category",
  comparedMedian: (finished: string) => `${finished}, median`,
  noOthers: "none to compare with yet",
  tooFewInCategory: (noun: string) => `too few ${noun} to compare with`,
  sourcesTitle: "Where they came from",
  sourcesIntro:
    "The page a member came from when they first opened it. We keep one word of a fixed list, and nothing about the member's browser.",
  sourcesLoadFailed: "We couldn't load where they came from",
  sourcesLoading: "Loading where they came from",
  noSources: "Nobody has come yet.",
  sourcesTable: "Sources as a table",
  source: "Came from",
  shareFinished: "Share who finished",
  ratingsTitle: "Ratings",
  ratingsLoadFailed: "We couldn't load the ratings",
  ratingsLoading: "Loading the ratings",
  noRatings: "No ratings yet. Members can rate this once they have finished it.",
  distribution: "How many gave each number of stars",
  stars: (count: number) => pluralise(count, "star"),
  sentencesTitle: "In their words",
  takeDown: "Take down",
  takeDownTitle: "Take down this sentence?",
  takeDownText:
    "This removes the sentence for good, keeps the stars, and tells its author why. It is recorded with your name.",
  keepSentence: "Keep it",
  takeDownFailed: (reason: string) => `The sentence wasn't taken down. ${reason}`,
} as const;

/** The overview of all articles and courses. */
export const analyticsPageStrings = {
  title: "Analytics",
  intro: "How members read your articles and take your courses. Days are counted in UTC.",
  loadFailed: "We couldn't load your figures",
  loading: "Loading your figures",
  emptyTitle: "Nothing published yet",
  empty: "The figures of your articles and courses appear here once they are published.",
  notPublished: (title: string) => `${title} (not published)`,
  courses: "Courses",
  articles: "Articles",
  untouched: (count: number) =>
    count === 1
      ? "1 that nobody has opened yet"
      : `${formatCount(count)} that nobody has opened yet`,
} as const;

/** What happened to a mentor's texts in the last days. */
export const latelyStrings = {
  title: "Lately",
  period: "Period",
  days: (days: number) => `${days} days`,
  loadFailed: "We couldn't load the last days",
  loading: "Loading the last days",
  readThisWeek: (readers: number, isEveryone: boolean) => {
    const what = isEveryone ? "the articles" : "your work";
    if (readers === 0) return `Nobody has read ${what} this week.`;
    return `${readers === 1 ? "1 person" : `${formatCount(readers)} people`} read ${what} this week.`;
  },
  /** Before the title of a course. */
  stopsAt: (members: number, module: number) =>
    members === 1 ? `One member is on module ${module} of ` : `Most stop at module ${module} of `,
  openQuestions: (questions: number) =>
    questions === 1
      ? "1 question is waiting for your answer."
      : `${formatCount(questions)} questions are waiting for your answer.`,
  chartLabel: (readers: number, days: number) =>
    `Readers by day: ${readers} in ${days} days. The figures are in the table below.`,
  note: "Each reader counts on the day they last opened an article, in UTC.",
} as const;

export const articleAnalyticsStrings = {
  notFoundTitle: "Article not found",
  notFound: "The link may be wrong, or it is someone else's article.",
  loadFailed: "We couldn't load this article's figures",
  shareOfReaders: (percent: number) => `${percent}% of all readers`,
  others: "Your other articles",
  othersFinished: "read to the end",
  othersNoun: "articles",
  trendTitle: (days: number, reads: number) => `Read to the end in the last ${days} days: ${reads}`,
} as const;

export const courseAnalyticsStrings = {
  notFoundTitle: "Course not found",
  notFound: "The link may be wrong, or it is someone else's course.",
  loadFailed: "We couldn't load this course's figures",
  shareOfEnrolled: (share: string) => `${share} of all enrolled`,
  completionTime: "Time to complete",
  completionDays: (days: number) => (days < 1 ? "Under a day" : pluralise(days, "day")),
  completionNote: "median",
  others: "Your other courses",
  othersFinished: "completed",
  othersNoun: "courses",
  sourcesMembers: "Enrolled",
  funnelTitle: "Lesson by lesson",
  noLessons: "This course has no lessons yet.",
  lessonCompletions: (completions: number, enrolments: number, percent: number) =>
    `${formatCount(completions)} of ${formatCount(enrolments)} · ${percent}%`,
  stopsHere: (members: number) =>
    `Members stop here: ${pluralise(members, "member")} got this far and didn't complete this lesson.`,
  lessonsTable: "Lessons as a table",
  lesson: "Lesson",
  completedBy: "Completed by",
  stoppedBefore: "Stopped before it",
  trendTitle: (days: number) => `The last ${days} days`,
  cohortsTitle: "By week of joining",
  cohortWeek: "Week of",
  cohortJoined: "Joined",
} as const;

/** Who takes a course, and reminding those who paused. */
export const studentStrings = {
  title: "Students",
  intro:
    "Members who chose not to be listed in the directory are counted above and not named here. You can remind a student who has done nothing for a week.",
  loadFailed: "We couldn't load the students",
  loading: "Loading the students",
  empty: "There is nobody to name yet.",
  nameless: "A member",
  name: "Name",
  progress: "Progress",
  lastActive: "Last active",
  enrolled: "Enrolled",
  reminder: "Reminder",
  completed: "Completed",
  reminderSent: (ago: string) => `Sent ${ago}`,
  more: "Show more",
  nudge: "Remind",
  nudgeLabel: (name: string) => `Remind ${name}`,
  nudgeTitle: (name: string) => `Remind ${name} of this course?`,
  nudgeText:
    "They get one notification with a link to the course. You can remind them again in 14 days.",
  confirmNudge: "Send the reminder",
  cancelNudge: "Not now",
  nudged: "Reminder sent.",
  nudgeFailed: (reason: string) => `The reminder wasn't sent. ${reason}`,
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You've sent many reminders. Wait a while and try again.",
  FF734: "This sentence is no longer here.",
  FF741: "This student can't be reminded.",
  FF742: "They were active in the last seven days.",
  FF743: "They were reminded in the last 14 days.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainAnalyticsError(error: unknown): string {
  return known[toAppError(error).code] ?? tryAgain;
}
