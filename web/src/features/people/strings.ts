import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { formatCount, formatMinutes, pluralise } from "@/lib/format-count.ts";
import type { ListedText } from "./model/member.ts";

/** What is said of a member in several places, and what blocks and reports them. */
export const peopleStrings = {
  level: (level: number) => `Level ${level}`,
  askAbout: "Ask me about",
  message: "Message",
  absentTitle: "This profile isn't available",
  cardLoading: (name: string) => `Loading the profile of ${name}`,
  cardFailed: "We couldn't load this profile.",
  more: (name: string) => `More about ${name}`,
  block: "Block",
  blockedTitle: (name: string) => `You've blocked ${name}`,
  blocked:
    "You don't see each other in the directory or on profiles, and neither of you is notified of what the other does.",
  blockQuestion: (name: string) => `Block ${name}?`,
  blockText:
    "You won't see each other in the directory or on profiles, their messages and posts are folded away for you, and neither of you is notified of what the other does. They aren't told.",
  blockConfirm: (name: string) => `Block ${name}`,
  blockCancel: "Not now",
  blockDone: (name: string) => `${name} is blocked.`,
  blockFailed: (name: string) => `We couldn't block ${name}.`,
  unblock: "Unblock",
  unblockMember: (name: string) => `Unblock ${name}`,
  unblockDone: (name: string) => `${name} is no longer blocked.`,
  unblockFailed: (name: string) => `We couldn't unblock ${name}.`,
  report: "Report",
  folded: "From a member you've blocked.",
  unfold: "Show",
  blocksLoading: "Loading the members you've blocked",
  blocksFailed: "We couldn't load the list",
  noBlocks: "You haven't blocked anyone. You can block a member on their profile.",
} as const;

/** The profile of a member. */
export const memberPageStrings = {
  title: "Member",
  membersOnly: "Profiles are for members.",
  loading: "Loading the profile",
  failed: "We couldn't load this profile",
  absent: "The member may have left, or the address may be wrong.",
  openDirectory: "Open the directory",
  joinedOn: (date: string) => `Joined on ${date}`,
  edit: "Edit your profile",
  about: "About",
  noOwnBio: "You haven't written about yourself yet.",
  addBio: "Add a few lines",
  noBio: (name: string) => `${name} hasn't written about themselves yet.`,
  textsTitle: "Articles and courses",
  textOnSale: "On sale to everyone",
  minutes: (kind: ListedText["kind"], minutes: number) =>
    kind === "article" ? `${minutes} min read` : formatMinutes(minutes),
  newestTexts: (shown: number, count: number) =>
    `The newest ${shown} of ${formatCount(count)} that are open to you.`,
  moreTexts: "Show more",
  moreTextsFailed: "We couldn't load more of these.",
  keptPacts: (count: number) => `${pluralise(count, "pact")} kept`,
  keptOn: (date: string) => `Kept on ${date}`,
  submissions: "Submissions",
  noOwnSubmissions: "You haven't shared anything yet.",
  noSubmissions: "None yet.",
  newestSubmissions: (shown: number, count: number) =>
    `The newest ${shown} of ${pluralise(count, "submission")}.`,
} as const;

/** The kinds of texts on a profile. */
export const writtenTextNames: Readonly<Record<ListedText["kind"], string>> = {
  article: "Article",
  course: "Course",
};

export const directoryStrings = {
  title: "Directory",
  intro: {
    before: "Who's here, and what you can ask them about. You ",
    link: "choose what it shows about you",
    after: ".",
  },
  membersOnly: "The directory is for members.",
  filters: "Find members",
  search: "Search",
  searchHint: "Name, occupation or topic",
  level: "Level",
  role: "Role",
  occupation: "Occupation",
  topic: "Topic",
  any: "Any",
  loading: "Loading the directory",
  failed: "We couldn't load the directory",
  list: "Members",
  moreFailed: "We couldn't load more members.",
  more: "Show more members",
  emptyTitle: "No members match",
  emptyText: "Try fewer or different words, or remove a filter.",
  clear: "Clear search and filters",
  firstTitle: "No one is listed yet",
  firstText: "Members appear here once they have finished joining.",
} as const;

/** The choice of what the directory and one's profile show. */
export const profileChoiceStrings = {
  title: "Directory and profile",
  loading: "Loading your choices",
  failed: "We couldn't load your choices",
  topics: "Ask me about",
  topicsHint: (limit: number) =>
    `Up to ${limit} topics with commas between them, such as: pricing, tax returns.`,
  tooManyTopics: (limit: number) => `Name up to ${limit} topics.`,
  topicTooLong: (limit: number) =>
    `A topic has at most ${limit} characters. Put a comma between topics.`,
  switches: {
    isListed: {
      label: "List me in the directory",
      hint: "Your profile can still be opened from what you write.",
    },
    showsSubmissions: {
      label: "List my submissions on my profile",
      hint: "They're in the feed either way.",
    },
    showsAchievements: {
      label: "List my achievements on my profile",
      hint: "You always see them yourself. Cards you've shared are separate.",
    },
  },
  save: "Save topics",
  saved: "Your topics are saved.",
  notSaved: "That wasn't saved.",
  seeProfile: "See your profile",
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF701: "Name up to eight topics of at most 40 characters each.",
  FF702: "This member is no longer here.",
  FF704: "Administrators look after the community, so they can't be blocked.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainPeopleError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
