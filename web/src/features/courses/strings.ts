import { formatCount, formatMinutes, pluralise } from "@/lib/format-count.ts";

export const courseStrings = {
  free: "Free",
  included: "Included in your membership",
  /** On a card, after the price. */
  includedShort: "Included",
  featured: "Featured",
  complete: "Complete",
  minutes: formatMinutes,
  enrolled: (count: number) => `${formatCount(count)} enrolled`,
  moduleCount: (count: number) => pluralise(count, "module"),
  percentComplete: (percent: number) => `${percent}% complete`,
  progressIn: (title: string) => `Progress in ${title}`,
  enroll: "Enroll in This Course",
  back: "Back to the courses",
  next: (title: string) => `Next course: ${title}`,
  finishedOf: (done: number, count: number) => `You've finished ${done} of ${count} courses here.`,
  notFound: "It may have been removed, or the link may be wrong.",
  newerTitle: "A newer version of this course is out",
  newer: "You can finish the version you know. If you move, what you completed stays.",
  moveOn: "Move to it",
  moveTitle: "Move to the newer version?",
  moveText:
    "Lessons that you completed stay completed. New ones are added to what is left, and you can't go back to the version you know.",
  moveConfirm: "Move to the newer version",
  moveCancel: "Stay",
  moveFailed: "We couldn't move you to the newer version.",
} as const;

/** The modules of a course, and the one that is open. */
export const courseModuleStrings = {
  title: "Course modules",
  progress: "Progress in this course",
  /** Before the title, for screen readers. */
  number: (number: number) => `Module ${number}: `,
  /** After the title, for screen readers. */
  completed: ", completed",
  place: (number: number, count: number, minutes: number) =>
    `Module ${number} of ${count} · ${formatMinutes(minutes)}`,
  emptyTitle: "No modules yet",
  empty: "This course has no lessons yet. You're still enrolled.",
  finished: "Finished the lesson and its exercise?",
  goesOnTo: (title: string) => ` You go on to “${title}”.`,
  markComplete: "Mark as Complete",
  stillOpen: (title: string) => `Still to do: ${title}`,
  courseFinished: "· you've finished this course",
} as const;

export const filmStrings = {
  label: (title: string) => `Video: ${title}`,
  captions: "English",
  loading: "Loading the film",
  loadFailed: "We couldn't load this film",
  refused: "This lesson's video is on a site we don't load videos from.",
  play: "Play video",
  playText: (host: string) =>
    `The video loads from ${host}, which can then see that you're watching it.`,
} as const;

export const trainingStrings = {
  title: "Training for mentors",
  intro:
    "How to turn what you know into courses that people finish, and into income. Open to you at every level.",
  loading: "Loading the training",
  loadFailed: "We couldn't load the training",
  length: formatMinutes,
  emptyTitle: "No training yet",
  empty: "Courses for mentors appear here when they are published.",
  back: "Back to the training",
} as const;
