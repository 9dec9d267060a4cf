import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

export const peopleStrings = {
  absentTitle: "This profile isn't available",
  absent: "The member may have left, or the address may be wrong.",
  blockedTitle: (name: string) => `You've blocked ${name}`,
  blocked:
    "You don't see each other in the directory or on profiles, and neither of you is told of what the other does.",
  blockQuestion: (name: string) => `Block ${name}?`,
  blockText:
    "You won't see each other in the directory or on profiles, their messages and posts are folded away for you, and neither of you is notified of what the other does. They aren't told.",
  blockDone: (name: string) => `${name} is blocked.`,
  unblockDone: (name: string) => `${name} is no longer blocked.`,
  reportDone: "Thank you. An administrator will look at it.",
  textsTitle: "Articles and courses",
  textOnSale: "On sale to everyone",
  folded: "From a member you've blocked.",
  noBlocks: "You haven't blocked anyone. You can block a member on their profile.",
  emptyTitle: "No members match",
  emptyText: "Try fewer or different words, or take a filter away.",
  firstTitle: "No one is listed yet",
  firstText: "Members appear here once they have finished joining.",
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
