import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { MessageChoice } from "./api/message-choice.ts";

/** The conversations with other members. */
export const messageStrings = {
  title: "Messages",
  intro: {
    before: "Conversations that only the two of you can read. You ",
    link: "choose who can message you",
    after: ".",
  },
  membersOnly: "Messages are for members.",
  newMessage: "New message",
  list: "Conversations",
  listBeside: "Your conversations",
  listLoading: "Loading your conversations",
  listFailed: "We couldn't load your conversations",
  olderFailed: "We couldn't load older conversations.",
  older: "Show older conversations",
  emptyTitle: "No conversations yet",
  emptyText:
    "Open a member's profile and choose Message. Only the two of you can read what you write.",
  findMember: "Find a member",
  loading: "Loading the conversation",
  failed: "We couldn't load this conversation",
  all: "All conversations",
  absentTitle: "This conversation isn't available",
  absent: "The member may have left, or the address may be wrong.",
  closed: (name: string) => `${name} isn't taking messages from you at the moment.`,
  own: "You've switched off direct messages, so you can't send any.",
  changeChoice: "Change who can message you",
  blocked:
    "Your conversation is hidden, and neither of you can write to the other. They aren't told.",
  deleted: "This message was deleted.",
  you: "You",
} as const;

/** The choice who may write to the member. */
export const messageChoiceStrings = {
  loading: "Loading your choice",
  failed: "We couldn't load your choice",
  title: "Direct messages",
  question: "Who can message you",
  notSaved: "Your choice wasn't saved.",
} as const;

/** The name of each choice and what it means. */
export const messageChoiceTexts = {
  everyone: ["Every member", "Members you've blocked can't."],
  known: ["People I know", "Mentors, administrators and members you've written to yourself."],
  nobody: ["Nobody", "You can't write to others either, because they couldn't answer."],
} as const satisfies Record<MessageChoice, unknown>;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainMessageError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
