import { formatCount } from "@/lib/format-count.ts";
import type { DraftKind } from "../model/draft.ts";

export interface ActionTexts {
  readonly label: string;
  readonly done: string;
  /** Asked before the act; null when it is easily taken back. */
  readonly question: string | null;
}

/** What moves a draft on. What a submission leads to is told by `handedOverTexts`. */
export const draftActionTexts = {
  submit: { label: "Submit for review", done: "", question: null },
  schedule: { label: "Schedule", done: "", question: null },
  publish: {
    label: "Publish",
    done: "",
    question: "You can withdraw it at any time.",
  },
  unschedule: {
    label: "Unschedule",
    done: "It's no longer scheduled. You can carry on writing.",
    question: null,
  },
  recall: {
    label: "Take back",
    done: "Taken back. You can carry on writing.",
    question: null,
  },
  withdraw: {
    label: "Withdraw",
    done: "Withdrawn.",
    question:
      "Members can no longer read this. Reads and completions are kept, and you can submit it again at any time.",
  },
  withdrawPriced: {
    label: "Withdraw",
    done: "Withdrawn.",
    question:
      "Members can no longer read this, and nobody can buy it. Those who bought it keep it. Reads and completions are kept, and you can submit it again at any time.",
  },
  archive: { label: "Archive", done: "Archived.", question: null },
  unarchive: {
    label: "Take out of the archive",
    done: "Taken out of the archive.",
    question: null,
  },
} as const satisfies Readonly<Record<string, ActionTexts>>;

/** What publishing a draft does, for whom and where. */
export const publicationStrings = {
  /** @param time null for at once */
  opens: (level: string, time: string | null) =>
    `Members at ${level} or above can read it ${time === null ? "straight away" : `from ${time}`}.`,
  noPlace: "its level",
  level: (number: number, name: string) => `Level ${number} (${name})`,
  stands: (section: string, shelf: string, subcategory: string) =>
    `They find it in ${section} · ${shelf}, under “${subcategory}”.`,
  notTold: "No email or notification goes out to members.",
} as const;

export const draftActionsStrings = {
  preview: "Preview",
  previewBeside: "Preview beside",
  previewRegion: "Preview of the text",
  question: (act: string, kind: DraftKind) => `${act} this ${kind}?`,
} as const;

/** A time for publication. */
export const publishTimeStrings = {
  choose: "Choose a time to publish",
  label: "Publish at",
  zoneHint: (zone: string) => `In your time zone, ${zone}.`,
  remove: "Publish without a set time",
  missing: "Choose a date and a time.",
  past: "This time has passed. Choose one in the future.",
  tooLate: "Choose a time within a year.",
} as const;

/** The saved versions of a draft. */
export const versionStrings = {
  title: "Versions",
  show: "Show versions",
  hide: "Hide versions",
  listFailed: "We couldn't load the versions",
  listLoading: "Loading the versions",
  version: (version: number) => `Version ${version}`,
  published: " · published",
  newest: " · newest",
  compare: "Compare",
  /** After `compare`, for screen readers. */
  compareVersion: (version: number) => ` version ${version}`,
  loadFailed: "We couldn't load this version",
  loading: "Loading the version",
  restore: (version: number) => `Restore version ${version}`,
  restored: (version: number) => `Version ${version} is the newest again. Nothing was deleted.`,
  differenceIntro: (version: number) =>
    `What changed from version ${version} to the newest one: − was removed, + was added.`,
  difference: (version: number) => `Changes since version ${version}`,
  olderCover: (version: number) => `Cover of version ${version}`,
  newerCover: "Cover of the newest version",
  showEarlier: "Show earlier versions",
  keepDaily: "Keep one version a day",
  keepDailyTitle: "Keep one version a day?",
  keepDailyText:
    "The last version of each day stays, with everything of the last 24 hours, the published version and those with comments of a review. All others of this draft are deleted for good.",
  keepDailyConfirm: "Delete the others",
  deleted: (count: number) =>
    count === 0
      ? "There were no others to delete."
      : `${formatCount(count)} ${count === 1 ? "version was" : "versions were"} deleted.`,
} as const;

/** A version as lines that are compared with another's. */
export const versionLineStrings = {
  title: (title: string) => `Title: ${title}`,
  excerpt: (excerpt: string) => `Excerpt: ${excerpt}`,
  address: (slug: string) => `Address: ${slug}`,
  cover: (file: string | null) => `Cover: ${file ?? "drawn"}`,
  tags: (tags: string) => `Tags: ${tags}`,
  module: (place: number, title: string) => `Module ${place}: ${title}`,
  video: (address: string) => `Video: ${address}`,
} as const;
