import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { PostKind } from "./model/post.ts";

export const postKindNames = { request: "Request", offer: "Offer" } as const satisfies Record<
  PostKind,
  string
>;

export const collaborateStrings = {
  emptyTitle: "Nothing here yet",
  emptyText: "Offers and requests of other members appear here. Be the first to post one.",
  noMatchTitle: "No posts match",
  noMatchText: "Try fewer or different words, or take a filter away.",
  reported: "Thank you. An administrator will look at it.",
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF701: "Name up to eight topics of at most 40 characters each.",
  FF830: "Give it a title of up to 80 characters and a text of up to 600.",
  FF831: "You have five open posts. Close one first.",
  FF832: "This post is no longer open.",
  FF833: "This post is no longer there.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainPostError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
