import type { Clock } from "@/lib/clock.ts";
import type { ConversationSource } from "./conversation-source.ts";
import {
  createConversationStore,
  type ConversationState,
  type ConversationStore,
} from "./conversation-store.ts";
import { createHistoryLoader } from "./history-loader.ts";
import type { ChatMessage, MessageRow } from "./message.ts";
import { createMissedMessages } from "./missed-messages.ts";
import type { Reaction } from "./reactions.ts";
import { createToggles, type Toggles } from "./toggles.ts";

export interface Conversation {
  readonly getState: () => ConversationState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Opens the room, at a message when one is named. The returned function leaves the room. */
  readonly start: (targetId: string | null) => () => void;
  readonly reopen: (targetId: string | null) => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
  /** Fetches changes that may have been missed. Safe to call at any time. */
  readonly syncMissed: () => Promise<void>;
  readonly accept: (row: MessageRow) => void;
  readonly showOutgoing: (messages: readonly ChatMessage[]) => void;
  readonly toggleLike: (id: string) => void;
  /** Gives a reaction or takes it back. */
  readonly toggleReaction: (id: string, reaction: Reaction) => void;
  /** Marks everything in the list as read. */
  readonly markRead: () => void;
}

/** The state of one open room, kept in step with the server across lost connections. */
export function createConversation(
  source: ConversationSource,
  ownId: string,
  clock: Clock,
): Conversation {
  const store = createConversationStore();
  const history = createHistoryLoader(store, source, ownId);
  const missed = createMissedMessages(store, source, () => history.open(null), clock);
  const likes = createToggles(source.setLike, (id, liked, error) => {
    console.error("The like was not saved", error);
    store.change({ kind: "liked", id, liked });
  });

  function accept(row: MessageRow, isNew = false): void {
    const { list, liveMessageCount } = store.getState();
    const isKnown = list.messages.some(({ id }) => id === row.id);
    const complete = completeRow(list.messages, row);
    store.change({ kind: "arrived", rows: [complete] });
    if (isNew && !isKnown && row.authorId !== ownId) {
      store.set({ liveMessageCount: liveMessageCount + 1 });
    }
    // A live row has no author and no quote. What is not known from the list must be fetched.
    if (!complete.author || (row.parentId !== null && !complete.quote)) void missed.sync();
  }

  function start(targetId: string | null): () => void {
    store.beginVisit();
    store.reset();
    const opening = history.open(targetId);
    const unwatch = source.watch({
      onRow: accept,
      onConnected: () => {
        store.set({ live: "live" });
        void opening.then(missed.sync);
      },
      onLost: () => {
        if (store.getState().live === "live") store.set({ live: "lost" });
      },
    });
    return () => {
      store.beginVisit();
      missed.cancel();
      unwatch();
    };
  }

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    start,
    reopen: async (targetId) => {
      store.beginVisit();
      await history.open(targetId);
      await missed.sync();
    },
    loadOlder: history.loadOlder,
    loadNewer: history.loadNewer,
    syncMissed: missed.sync,
    accept,
    showOutgoing: (messages) => store.change({ kind: "outgoing", messages }),
    toggleLike: (id) => toggleLike(store, likes, id),
    toggleReaction: createReactions(store, source),
    markRead: createReadMarker(store, source),
  };
}

/** Adds author and quote to a live row, as far as they are known from the list. */
function completeRow(messages: readonly ChatMessage[], row: MessageRow): MessageRow {
  const known = messages.find(({ id }) => id === row.id);
  const parent = messages.find(({ id }) => id === row.parentId);
  const author =
    row.author ??
    known?.author ??
    messages.find((each) => each.authorId === row.authorId && each.author)?.author;
  const quote =
    row.quote ??
    known?.quote ??
    (parent && { id: parent.id, author: parent.author?.name ?? "", content: parent.content });
  return { ...row, author: author ?? undefined, quote: quote ?? undefined };
}

function toggleLike(store: ConversationStore, likes: Toggles<string>, id: string): void {
  const message = store.getState().list.messages.find((each) => each.id === id);
  if (!message || message.deleted) return;
  store.change({ kind: "liked", id, liked: !message.liked });
  likes.set(id, !message.liked);
}

/** Returns a function that gives a reaction or takes it back; it does nothing where there are none. */
function createReactions(
  store: ConversationStore,
  source: ConversationSource,
): (id: string, reaction: Reaction) => void {
  // One queue of requests for each reaction, by message.
  const queues = new Map<Reaction, Toggles<string>>();
  return (id, reaction) => {
    const { setReaction } = source;
    const message = store.getState().list.messages.find((each) => each.id === id);
    if (!setReaction || !message || message.deleted) return;
    const queue =
      queues.get(reaction) ??
      createToggles(
        (messageId: string, given) => setReaction(messageId, reaction, given),
        (messageId, given, error) => {
          console.error("The reaction was not saved", error);
          store.change({ kind: "reacted", id: messageId, reaction, given });
        },
      );
    queues.set(reaction, queue);
    const given = !message.myReactions.includes(reaction);
    store.change({ kind: "reacted", id, reaction, given });
    queue.set(id, given);
  };
}

/** Returns a function that saves how far the member has read, once for each newest message. */
function createReadMarker(store: ConversationStore, source: ConversationSource): () => void {
  let readUpTo = "";
  return () => {
    const { messages, hasNewer } = store.getState().list;
    const newest = messages.at(-1)?.createdAtRaw ?? "";
    if (newest === "" || newest === readUpTo || hasNewer) return;
    readUpTo = newest;
    source.markRead(newest).catch((error: unknown) => {
      console.error("The read position was not saved", error);
      readUpTo = "";
    });
  };
}
