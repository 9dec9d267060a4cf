import type { ConversationSource } from "./conversation-source.ts";
import type { ConversationState, ConversationStore } from "./conversation-store.ts";
import { firstUnread } from "./list-rows.ts";
import { changeList, type ListChange } from "./message-list.ts";
import type { MessageCursor } from "./message.ts";

/** Loads the pages of a room's history into the store. Nothing here rejects. */
export interface HistoryLoader {
  /** Loads the newest page, or the pages around a message when one is named. */
  readonly open: (targetId: string | null) => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  readonly loadNewer: () => Promise<void>;
}

export function createHistoryLoader(
  store: ConversationStore,
  source: ConversationSource,
  ownId: string,
): HistoryLoader {
  async function open(targetId: string | null): Promise<void> {
    const isCurrentVisit = store.trackVisit();
    const knownBefore = new Set(store.getState().list.messages.map(({ id }) => id));
    try {
      const [cursor, lastRead] = await Promise.all([
        targetId === null ? null : source.findMessageCursor(targetId),
        source.readLastRead().catch(() => null),
      ]);
      const opened = cursor
        ? await readAround(source, cursor)
        : { ...(await source.readPage()), hasNewer: false };
      if (!isCurrentVisit()) return;
      const state = store.getState();
      const list = changeList(state.list, { kind: "opened", knownBefore, ...opened });
      const unreadId = state.unreadId ?? firstUnread(list.messages, lastRead, ownId);
      store.set({ phase: "ready", list, unreadId });
    } catch (error) {
      console.error("The messages of the room could not be loaded", error);
      if (isCurrentVisit()) store.set({ phase: "failed" });
    }
  }

  async function loadPage(
    end: NonNullable<ConversationState["fetching"]>,
    read: () => Promise<ListChange>,
  ): Promise<void> {
    const isCurrentVisit = store.trackVisit();
    store.set({ fetching: end });
    try {
      const change = await read();
      if (isCurrentVisit()) store.change(change);
    } catch (error) {
      console.error(`The ${end} messages could not be loaded`, error);
    } finally {
      store.set({ fetching: null });
    }
  }

  return {
    open,
    loadOlder: async () => {
      const { list, fetching } = store.getState();
      const first = list.messages[0];
      if (!first || !list.hasOlder || fetching !== null) return;
      await loadPage("older", async () => ({ kind: "older", ...(await source.readPage(first)) }));
    },
    loadNewer: async () => {
      const { list, fetching } = store.getState();
      const last = list.messages.at(-1);
      if (!last || !list.hasNewer || fetching !== null) return;
      await loadPage("newer", async () => ({ kind: "newer", ...(await source.readNewer(last)) }));
    },
  };
}

async function readAround(source: ConversationSource, cursor: MessageCursor) {
  const [older, newer] = await Promise.all([source.readPage(cursor), source.readNewer(cursor)]);
  return {
    rows: [...older.rows, ...newer.rows],
    hasOlder: older.hasOlder,
    hasNewer: newer.hasNewer,
  };
}
