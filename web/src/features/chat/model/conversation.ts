import type { Clock } from "@/lib/clock.ts";
import { createLikes } from "./likes.ts";
import type { ChatMessage, MessageRow } from "./message.ts";
import { changeList, emptyList, type ListChange, type MessageList } from "./message-list.ts";
import { firstUnread } from "./list-rows.ts";

interface MessageCursor {
  readonly createdAtRaw: string;
  readonly id: string;
}

/** Who follows the live stream of a room. */
export interface MessageWatcher {
  /** A message was written, or has changed. */
  readonly onRow: (row: MessageRow, isNew: boolean) => void;
  /** The stream is there, for the first time or again: what happened meanwhile must be fetched. */
  readonly onConnected: () => void;
  readonly onLost: () => void;
}

/** What a conversation asks of the server. Everything but `watch` rejects when it fails. */
export interface ConversationSource {
  readonly readPage: (
    before?: MessageCursor,
  ) => Promise<{ readonly rows: readonly MessageRow[]; readonly hasOlder: boolean }>;
  readonly readNewer: (
    from: MessageCursor,
  ) => Promise<{ readonly rows: readonly MessageRow[]; readonly hasNewer: boolean }>;
  /** Null when it is too much to catch up with. */
  readonly readChanges: (since: string) => Promise<readonly MessageRow[] | null>;
  readonly findMessageCursor: (id: string) => Promise<MessageCursor | null>;
  readonly readLastRead: () => Promise<number | null>;
  readonly markRead: (upTo: string) => Promise<void>;
  readonly setLike: (id: string, liked: boolean) => Promise<void>;
  readonly watch: (watcher: MessageWatcher) => () => void;
}

export interface ConversationState {
  readonly phase: "loading" | "ready" | "failed";
  readonly list: MessageList;
  /** Whether the live stream is there; it is told as lost only after it once was there. */
  readonly live: "joining" | "live" | "lost";
  /** Above this message stands the line of what is new. */
  readonly unreadId: string | null;
  /** A page is being fetched at this end. */
  readonly fetching: "older" | "newer" | null;
  /** Messages of others that came in live, counted up; for those who are further up. */
  readonly liveMessageCount: number;
}

export interface Conversation {
  readonly getState: () => ConversationState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens the room, at a message when one is named; the returned function leaves it. */
  readonly start: (targetId: string | null) => () => void;
  readonly reopen: (targetId: string | null) => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /** Fetches what may have been missed; harmless at any time. */
  readonly syncMissed: () => Promise<void>;
  readonly accept: (row: MessageRow) => void;
  readonly showOutgoing: (messages: readonly ChatMessage[]) => void;
  readonly toggleLike: (id: string) => void;
  /** Everything that is shown has been seen. */
  readonly markRead: () => void;
}

const syncRetryDelayMs = 2000;

const blank: ConversationState = {
  phase: "loading",
  list: emptyList,
  live: "joining",
  unreadId: null,
  fetching: null,
  liveMessageCount: 0,
};

/** One open room: its messages, kept true against the server whatever the network does. */
export function createConversation(
  source: ConversationSource,
  ownId: string,
  clock: Clock,
): Conversation {
  let state = blank;
  let started = 0;
  let closing: Promise<void> | null = null;
  let closeAgain = false;
  let readUpTo = "";
  let cancelRetry = () => {};
  const listeners = new Set<() => void>();

  const likes = createLikes(source.setLike, (id, liked, error) => {
    console.error("The like was not stored", error);
    change({ kind: "liked", id, liked });
  });

  function set(next: Partial<ConversationState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  function change(next: ListChange): void {
    const list = changeList(state.list, next);
    if (list !== state.list) set({ list });
  }

  async function open(targetId: string | null): Promise<void> {
    const visit = started;
    try {
      const [place, lastRead] = await Promise.all([
        targetId === null ? null : source.findMessageCursor(targetId),
        source.readLastRead().catch(() => null),
      ]);
      const opened = place
        ? await openAt(place)
        : { ...(await source.readPage()), hasNewer: false };
      if (visit !== started) return;
      const list = changeList(state.list, { kind: "opened", ...opened });
      const unreadId = state.unreadId ?? firstUnread(list.messages, lastRead, ownId);
      set({ phase: "ready", list, unreadId });
    } catch (error) {
      console.error("The messages of the room could not be read", error);
      if (visit === started) set({ phase: "failed" });
    }
  }

  async function openAt(place: MessageCursor) {
    const [older, newer] = await Promise.all([source.readPage(place), source.readNewer(place)]);
    return {
      rows: [...older.rows, ...newer.rows],
      hasOlder: older.hasOlder,
      hasNewer: newer.hasNewer,
    };
  }

  /** The latest change that was seen, from where a gap is closed. */
  function lastChange(): string {
    let latest = state.list.messages[0];
    for (const message of state.list.messages) {
      if (latest && message.changedAt > latest.changedAt) latest = message;
    }
    return latest?.changedAtRaw ?? "";
  }

  async function catchUp(): Promise<void> {
    if (state.phase !== "ready") return;
    const visit = started;
    const since = lastChange();
    const rows = since === "" ? null : await source.readChanges(since);
    if (visit !== started) return;
    if (rows) change({ kind: "arrived", rows });
    else if (!state.list.hasNewer) await open(null);
  }

  function syncMissed(): Promise<void> {
    if (closing) {
      closeAgain = true;
      return closing;
    }
    cancelRetry();
    const visit = started;
    closing = (async () => {
      try {
        do {
          closeAgain = false;
          await catchUp();
        } while (closeAgain);
      } catch (error) {
        console.error("What was missed could not be read", error);
        /* Whoever has left meanwhile misses nothing any more. */
        if (visit === started) cancelRetry = clock.after(syncRetryDelayMs, () => void syncMissed());
      } finally {
        closing = null;
      }
    })();
    return closing;
  }

  function accept(row: MessageRow, isNew = false): void {
    const known = state.list.messages.find(({ id }) => id === row.id);
    const author =
      row.author ??
      known?.author ??
      state.list.messages.find((each) => each.authorId === row.authorId && each.author)?.author;
    const parent = state.list.messages.find(({ id }) => id === row.parentId);
    const quote =
      row.quote ??
      known?.quote ??
      (parent && { id: parent.id, author: parent.author?.name ?? "", content: parent.content });
    change({
      kind: "arrived",
      rows: [{ ...row, author: author ?? undefined, quote: quote ?? undefined }],
    });
    if (isNew && !known && row.authorId !== ownId)
      set({ liveMessageCount: state.liveMessageCount + 1 });
    /* The stream carries the row alone; who that is and what it answers comes with the page. */
    if (!author || (row.parentId !== null && !quote)) void syncMissed();
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start: (targetId) => {
      started += 1;
      state = { ...blank, list: { ...emptyList, outgoing: state.list.outgoing } };
      const opening = open(targetId);
      const unwatch = source.watch({
        onRow: accept,
        onConnected: () => {
          set({ live: "live" });
          void opening.then(syncMissed);
        },
        onLost: () => {
          if (state.live === "live") set({ live: "lost" });
        },
      });
      return () => {
        started += 1;
        cancelRetry();
        unwatch();
      };
    },
    reopen: async (targetId) => {
      started += 1;
      await open(targetId);
      await syncMissed();
    },
    loadOlder: async () => {
      const first = state.list.messages[0];
      if (!first || !state.list.hasOlder || state.fetching !== null) return;
      const visit = started;
      set({ fetching: "older" });
      try {
        const page = await source.readPage(first);
        if (visit === started) change({ kind: "older", ...page });
      } catch (error) {
        console.error("Earlier messages could not be read", error);
      } finally {
        set({ fetching: null });
      }
    },
    loadNewer: async () => {
      const last = state.list.messages.at(-1);
      if (!last || !state.list.hasNewer || state.fetching !== null) return;
      const visit = started;
      set({ fetching: "newer" });
      try {
        const page = await source.readNewer(last);
        if (visit === started) change({ kind: "newer", ...page });
      } catch (error) {
        console.error("Later messages could not be read", error);
      } finally {
        set({ fetching: null });
      }
    },
    syncMissed,
    accept,
    showOutgoing: (messages) => change({ kind: "outgoing", messages }),
    toggleLike: (id) => {
      const message = state.list.messages.find((each) => each.id === id);
      if (!message || message.deleted) return;
      change({ kind: "liked", id, liked: !message.liked });
      likes.want(id, !message.liked);
    },
    markRead: () => {
      const last = state.list.messages.at(-1)?.createdAtRaw ?? "";
      if (last === "" || last === readUpTo || state.list.hasNewer) return;
      readUpTo = last;
      source.markRead(last).catch((error: unknown) => {
        console.error("Where one has read to was not stored", error);
        readUpTo = "";
      });
    },
  };
}
