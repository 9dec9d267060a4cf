import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { PactOutcome, PactWitness } from "./model/pact.ts";

export const pactStrings = {
  title: "Pacts",
  intro: "One thing you'll do by a set day, with members who will ask how it went.",
  make: "Make a pact",
  loading: "Loading your pacts",
  failed: "We couldn't load your pacts",
  emptyTitle: "You haven't made a pact yet",
  empty:
    "Choose one thing for this week. Members see it in the feed, and up to three of them can promise to ask about it.",
  record: "Record how it went",
  gone: "This pact is no longer here",
  goneText: "It may have been deleted, or it already has an outcome.",
  made: "Your pact is made.",
  acceptDone: "You're a witness now. We'll remind you when it's due.",
  declineDone: "Declined. They see that you can't.",
  stepBackDone: "You've stepped back. They can see that.",
  stepBackQuestion: "Step back as a witness?",
  stepBackText: "You can't come back to this pact. The member sees that you stepped back.",
  outcomeTitle: "How did it go?",
  outcomeIntro:
    "Success means you kept it, failure that you didn't, and a progress report that you did part of it. This closes the pact.",
  closeFailed: "We couldn't record how it went.",
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
