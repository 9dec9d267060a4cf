import type { ChatMessage, MessageRow } from "./message.ts";
import { withReaction, type Reaction } from "./reactions.ts";
import { compareMessages, microsecondsOf, toMessage } from "./message.ts";

/** The loaded part of a room's history, oldest first, without gaps. */
export interface MessageList {
  readonly messages: readonly ChatMessage[];
  /** The member's own messages that are not saved yet, shown last. */
  readonly outgoing: readonly ChatMessage[];
  readonly hasOlder: boolean;
  /** True when newer messages exist that are not loaded. */
  readonly hasNewer: boolean;
  /** True when the last change added messages on top, so that the view keeps its scroll anchor. */
  readonly grewOnTop: boolean;
}

export type ListChange =
  /** A first page, which replaces the list but for what came while it was read. */
  | {
      readonly kind: "opened";
      /** Ids of the messages that were known when the reading began. */
      readonly knownBefore: ReadonlySet<string>;
      readonly rows: readonly MessageRow[];
      readonly hasOlder: boolean;
      readonly hasNewer: boolean;
    }
  | { readonly kind: "older"; readonly rows: readonly MessageRow[]; readonly hasOlder: boolean }
  | { readonly kind: "newer"; readonly rows: readonly MessageRow[]; readonly hasNewer: boolean }
  /** Rows that arrived live, were saved here or were missed. */
  | { readonly kind: "arrived"; readonly rows: readonly MessageRow[] }
  | { readonly kind: "liked"; readonly id: string; readonly liked: boolean }
  | {
      readonly kind: "reacted";
      readonly id: string;
      readonly reaction: Reaction;
      readonly given: boolean;
    }
  | { readonly kind: "outgoing"; readonly messages: readonly ChatMessage[] };

export const emptyList: MessageList = {
  messages: [],
  outgoing: [],
  hasOlder: false,
  hasNewer: false,
  grewOnTop: false,
};

/** All messages to show. An outgoing message whose live row has arrived is listed once. */
export function shownMessages({ messages, outgoing }: MessageList): readonly ChatMessage[] {
  if (outgoing.length === 0) return messages;
  const saved = new Set(messages.map(({ id }) => id));
  return [...messages, ...outgoing.filter(({ id }) => !saved.has(id))];
}

/** Applies one change. An unchanged list is returned as it is. */
export function changeList(list: MessageList, change: ListChange): MessageList {
  switch (change.kind) {
    case "opened": {
      const { rows, hasOlder, hasNewer } = change;
      const opened = { ...list, messages: merge([], rows), hasOlder, hasNewer, grewOnTop: false };
      return { ...opened, messages: withLater(opened, list.messages, change.knownBefore) };
    }
    case "older":
      return {
        ...list,
        messages: merge(list.messages, change.rows),
        hasOlder: change.hasOlder,
        grewOnTop: true,
      };
    case "newer":
      return {
        ...list,
        messages: merge(list.messages, change.rows),
        hasNewer: change.hasNewer,
        grewOnTop: false,
      };
    case "arrived": {
      const rows = change.rows.filter((row) => belongs(list, row));
      if (rows.length === 0) return list;
      return { ...list, messages: merge(list.messages, rows), grewOnTop: false };
    }
    case "liked":
      return replace(list, change.id, (message) =>
        message.liked === change.liked
          ? message
          : {
              ...message,
              liked: change.liked,
              likeCount: Math.max(0, message.likeCount + (change.liked ? 1 : -1)),
            },
      );
    case "reacted":
      return replace(list, change.id, (message) =>
        withReaction(message, change.reaction, change.given),
      );
    case "outgoing":
      return { ...list, outgoing: change.messages, grewOnTop: false };
  }
}

/**
 * Whether a row lies within the loaded range. Rows beyond it come with their page; adding them
 * earlier would leave a gap.
 */
function belongs(
  { messages, hasOlder, hasNewer }: MessageList,
  row: Pick<MessageRow, "id" | "createdAtRaw">,
): boolean {
  const first = messages[0];
  const last = messages.at(-1);
  if (!first || !last) return !hasOlder && !hasNewer;
  const cursor = { id: row.id, at: microsecondsOf(row.createdAtRaw) };
  if (hasOlder && compareMessages(cursor, first) < 0) return false;
  return !(hasNewer && compareMessages(cursor, last) > 0);
}

/** The messages of a page with those that came, and the changes that were made, while it was read: the answer may be older. */
function withLater(
  opened: MessageList,
  messages: readonly ChatMessage[],
  knownBefore: ReadonlySet<string>,
): readonly ChatMessage[] {
  const next = new Map(opened.messages.map((message) => [message.id, message]));
  for (const message of messages) {
    const read = next.get(message.id);
    const isLater = read
      ? message.changedAt > read.changedAt
      : !knownBefore.has(message.id) && belongs(opened, message);
    if (isLater) next.set(message.id, message);
  }
  return [...next.values()].toSorted(compareMessages);
}

/** Updates known rows and inserts new ones in order. */
function merge(
  messages: readonly ChatMessage[],
  rows: readonly MessageRow[],
): readonly ChatMessage[] {
  const at = new Map(messages.map((message, index) => [message.id, index]));
  const next = [...messages];
  for (const row of rows) {
    const index = at.get(row.id);
    if (index === undefined) {
      at.set(row.id, next.length);
      next.push(toMessage(row));
    } else next[index] = toMessage(row, next[index]);
  }
  return inOrder(next) ? next : next.sort(compareMessages);
}

function inOrder(messages: readonly ChatMessage[]): boolean {
  return messages.every((message, index) => {
    const before = messages[index - 1];
    return before === undefined || compareMessages(before, message) <= 0;
  });
}

function replace(
  list: MessageList,
  id: string,
  change: (message: ChatMessage) => ChatMessage,
): MessageList {
  const index = list.messages.findIndex((message) => message.id === id);
  const before = list.messages[index];
  if (!before) return list;
  const after = change(before);
  return after === before
    ? list
    : { ...list, messages: list.messages.with(index, after), grewOnTop: false };
}
