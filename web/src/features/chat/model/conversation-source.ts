import type { MessageCursor, MessageRow } from "./message.ts";
import type { Reaction } from "./reactions.ts";

/** Callbacks of a subscription to the messages of a room. */
export interface MessageWatcher {
  /** A message was inserted or updated. */
  readonly onRow: (row: MessageRow, isNew: boolean) => void;
  /** The subscription is joined, for the first time or again. Earlier changes must be fetched. */
  readonly onConnected: () => void;
  readonly onLost: () => void;
}

/** The requests a conversation makes. All but `watch` reject when they fail. */
export interface ConversationSource {
  readonly readPage: (
    before?: MessageCursor,
  ) => Promise<{ readonly rows: readonly MessageRow[]; readonly hasOlder: boolean }>;
  readonly readNewer: (
    from: MessageCursor,
  ) => Promise<{ readonly rows: readonly MessageRow[]; readonly hasNewer: boolean }>;
  /** Null when there are too many changes to fetch one by one. */
  readonly readChanges: (since: string) => Promise<readonly MessageRow[] | null>;
  readonly findMessageCursor: (id: string) => Promise<MessageCursor | null>;
  readonly readLastRead: () => Promise<number | null>;
  readonly markRead: (upTo: string) => Promise<void>;
  readonly setLike: (id: string, liked: boolean) => Promise<void>;
  /** Absent where messages have no reactions. */
  readonly setReaction?: (id: string, reaction: Reaction, given: boolean) => Promise<void>;
  readonly watch: (watcher: MessageWatcher) => () => void;
}
