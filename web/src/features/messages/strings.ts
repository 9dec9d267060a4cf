import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

export const messageStrings = {
  emptyTitle: "No conversations yet",
  emptyText:
    "Open a member's profile and choose Message. Only the two of you can read what you write.",
  absentTitle: "This conversation isn't available",
  absent: "The member may have left, or the address may be wrong.",
  closed: (name: string) => `${name} isn't taking messages from you at the moment.`,
  own: "You take no messages at the moment, so you can't send any.",
  blockedTitle: (name: string) => `You've blocked ${name}`,
  blocked:
    "Your conversation is hidden, and neither of you can write to the other. They aren't told.",
  deleted: "This message was deleted.",
  you: "You",
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainMessageError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
