import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { PactOutcome, PactWitness } from "./model/pact.ts";

/** Pieces before an element have the space between them. */
export const pactStrings = {
  title: "Pacts",
  intro: "One thing you'll do by a set day, with members who will ask how it went.",
  newIntro:
    "Members see it in the feed of learning submissions. When it's over, you say how it went.",
  all: "All pacts",
  membersOnly: "Pacts are for active members. Your pacts are safe.",
  offlineTitle: "You're offline",
  offline: "You're seeing what was loaded earlier.",
  asked: "You're asked to be a witness",
  open: "Your open pacts",
  witnessing: "You're a witness",
  witnessed: "You were a witness",
  over: "Closed",
  make: "Make a pact",
  loading: "Loading your pacts",
  failed: "We couldn't load your pacts",
  emptyTitle: "You haven't made a pact yet",
  empty:
    "Choose one thing for this week. Members see it in the feed, and up to three of them can promise to ask about it.",
  record: "Record how it went",
  readOutcome: "Read how it went",
  outcomeOf: "The outcome of the pact ",
  witnessedBy: "Witnessed by ",
  closedOn: (day: string) => `Closed on ${day}`,
  dueToday: "Due today",
  dueTomorrow: "Due tomorrow",
  dueOn: (day: string) => `Due on ${day}`,
  /** A line may end with the dot, and breaks nowhere else. */
  daysLeft: (days: number) =>
    `\u00A0· ${`${pluralise(days, "day")} left`.replaceAll(" ", "\u00A0")}`,
  /** The word by which every place names a pact whose day is over without an outcome. */
  overdue: (day: string) => `Overdue, was due on ${day}`,
  gone: "This pact is no longer here",
  goneText: "It may have been deleted, or it already has an outcome.",
  made: "Your pact is made.",
  outcomeTitle: "How did it go?",
  outcomeIntro:
    "Success means you kept it, failure that you didn't, and a progress report that you did part of it. This closes the pact.",
  closeFailed: "We couldn't record how it went.",
} as const;

/** Asking for witnesses, and being one. */
export const witnessStrings = {
  witnesses: "Witnesses",
  ask: "Ask for witnesses",
  askAnother: "Ask another witness",
  askText: "They can accept or decline.",
  askSend: "Ask",
  askFailed: "We couldn't ask them.",
  chosen: "Chosen witnesses",
  choose: (name: string) => `Choose ${name}`,
  remove: (name: string) => `Remove ${name}`,
  find: "Find a member by name",
  membersFound: "Members found",
  found: (count: number) =>
    count === 0 ? "No other members match." : `${pluralise(count, "member")} found.`,
  searchFailed: "We couldn't search the directory",
  asksYou: (name: string) => `${name} asks you to be a witness: you'll ask how it went.`,
  accept: "Accept",
  decline: "Decline",
  answerFailed: "We couldn't save your answer.",
  acceptDone: "You're a witness now. We'll remind you when it's due.",
  declineDone: "Declined. They see that you can't.",
  stepBackDone: "You've stepped back. They can see that.",
  stepBack: "Step back",
  stay: "Stay a witness",
  stepBackQuestion: "Step back as a witness?",
  stepBackText: "You can't come back to this pact. The member sees that you stepped back.",
} as const;

export const pactFormStrings = {
  name: "New pact",
  title: "What will you do?",
  titleHint: "One thing you can finish, such as “Call ten former customers”.",
  titleMissing: "Say what you'll do.",
  dueOn: "By when?",
  dueOnWrong: "Choose today or a later day, within a year.",
  content: "How will you know it's done?",
  contentMissing: "Say how you'll know it's done.",
  witnesses: "Who will ask how it went? Up to three, if you like",
  witnessesHint: "They're asked first, and are told when it's due and how it went.",
  save: "Make this pact",
  saveFailed: "We couldn't make your pact.",
} as const;

/** What became of a pact. */
export const outcomeNames: Readonly<Record<PactOutcome, string>> = {
  success: "Kept",
  failure: "Not kept",
  progress_report: "Partly kept",
};

export const witnessStateNames: Readonly<Record<PactWitness["state"], string>> = {
  asked: "Asked",
  accepted: "Witness",
  declined: "Declined",
  lapsed: "No longer a witness",
};

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF771: "Choose today or a later day, within a year.",
  FF772: "A pact has at most three witnesses.",
  FF773: "One of these members can't be asked.",
  FF774: "You're no longer asked to witness this pact.",
  FF775: "This pact is over.",
  FF776: "This pact is no longer here.",
  FF777: "This submission can't be the outcome of this pact.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainPactError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
