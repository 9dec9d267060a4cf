import { changeList, emptyList, type ListChange, type MessageList } from "./message-list.ts";

export interface ConversationState {
  readonly phase: "loading" | "ready" | "failed";
  readonly list: MessageList;
  /** State of the live subscription. It is `lost` only after it was `live` once. */
  readonly live: "joining" | "live" | "lost";
  /** The unread line is shown above this message. */
  readonly unreadId: string | null;
  /** A page is being fetched at this end. */
  readonly fetching: "older" | "newer" | null;
  /** Number of live messages by other members since the room was opened. */
  readonly liveMessageCount: number;
}

/** The state of one conversation and its listeners. */
export interface ConversationStore {
  readonly getState: () => ConversationState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly set: (next: Partial<ConversationState>) => void;
  readonly change: (change: ListChange) => void;
  /** Empties the state but for outgoing messages. Listeners are not called. */
  readonly reset: () => void;
  /** Makes answers to requests of the visits before this one stale. */
  readonly beginVisit: () => void;
  /** Returns a function that is true until the next visit begins. */
  readonly trackVisit: () => () => boolean;
}

const initialState: ConversationState = {
  phase: "loading",
  list: emptyList,
  live: "joining",
  unreadId: null,
  fetching: null,
  liveMessageCount: 0,
};

export function createConversationStore(): ConversationStore {
  let state = initialState;
  let visit = 0;
  const listeners = new Set<() => void>();

  function set(next: Partial<ConversationState>): void {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  }

  return {
    getState: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set,
    change: (change) => {
      const list = changeList(state.list, change);
      if (list !== state.list) set({ list });
    },
    reset: () => {
      state = { ...initialState, list: { ...emptyList, outgoing: state.list.outgoing } };
    },
    beginVisit: () => {
      visit += 1;
    },
    trackVisit: () => {
      const tracked = visit;
      return () => tracked === visit;
    },
  };
}
