import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { Post, PostKind } from "./model/post.ts";

export const postKindNames = { request: "Request", offer: "Offer" } as const satisfies Record<
  PostKind,
  string
>;

/** How an answer to a post begins. */
export function answerDraft({ kind, title }: Pick<Post, "kind" | "title">): string {
  return `About your ${kind} “${title}”:\n`;
}

export const collaborateStrings = {
  title: "Collaborate",
  intro:
    "What members are offering and looking for. Your answer reaches the author as a direct message.",
  newPost: "New post",
  membersOnly: "Offers and requests are for members.",
  fromOthers: "From other members",
  loadFailed: "We couldn't load the posts",
  loading: "Loading the posts",
  emptyTitle: "Nothing here yet",
  emptyText: "Offers and requests of other members appear here. Be the first to post one.",
  noMatchTitle: "No posts match",
  noMatchText: "Try fewer or different words, or remove a filter.",
  clear: "Clear search and filters",
  posts: "Posts",
  moreFailed: "We couldn't load more posts.",
  more: "Show more posts",
} as const;

/** The search and the filters. */
export const postFilterStrings = {
  name: "Find posts",
  search: "Search",
  searchPlaceholder: "Title, text or topic",
  kind: "Kind",
  kindOption: (kind: PostKind) => `${postKindNames[kind]}s`,
  level: "Level",
  topic: "Topic",
  any: "Any",
} as const;

/** A post of another member. */
export const foundPostStrings = {
  edited: "(edited)",
  topics: "Topics",
  report: "Report",
  reportLabel: (title: string) => `Report ${title}`,
  answer: "Answer",
  answerLabel: (title: string) => `Answer ${title}`,
} as const;

export const ownPostsStrings = {
  title: "Your posts",
  loadFailed: "We couldn't load your posts",
  openUntil: (day: string) => `Open until ${day}`,
  closed: (posted: string) => `Closed · posted ${posted}`,
  edit: "Edit",
  editLabel: (title: string) => `Edit ${title}`,
  close: "Close",
  closeLabel: (title: string) => `Close ${title}`,
  closeQuestion: "Close this post?",
  closeText: "Other members no longer see it. You can't open it again, but you can post a new one.",
  closeConfirm: "Close post",
  keepOpen: "Keep it open",
  closeDone: "Post closed.",
  closeFailed: "We couldn't close your post.",
} as const;

export const postFormStrings = {
  newPost: "New post",
  editPost: "Edit post",
  kind: "What is it?",
  request: "I'm looking for something",
  offer: "I'm offering something",
  title: "Title",
  titleHint: "Such as “Looking for a bookkeeper in Leeds”.",
  titleMissing: "Say in a few words what it's about.",
  titleTooLong: (max: number) => `A title has at most ${max} characters.`,
  details: "Details",
  detailsHint: "What, when, and what it's worth to you. Answers come as direct messages.",
  detailsMissing: "Add a line or two, so that others know whether they can help.",
  detailsTooLong: (max: number) => `The text has at most ${max} characters.`,
  topics: "Topics",
  topicsHint: (max: number) => `Up to ${max}, with commas between them. You can leave this empty.`,
  topicsTooMany: (max: number) => `Name up to ${max} topics.`,
  topicTooLong: (max: number) =>
    `A topic has at most ${max} characters. Put a comma between topics.`,
  post: "Post",
  saveChanges: "Save changes",
  cancel: "Cancel",
  saveFailed: "We couldn't save your post.",
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF701: "Name up to eight topics of at most 40 characters each.",
  FF830: "Give it a title of up to 80 characters and a text of up to 600.",
  FF831: "You have five open posts. Close one first.",
  FF832: "This post is no longer open.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainPostError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
