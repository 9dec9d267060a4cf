import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Conversation, ConversationState } from "./model/conversation.ts";
import type { Row } from "./model/rows.ts";

/** So near to the end counts as being there. Pixels. */
const nearEnd = 80;
/** So near to an end the next page is fetched. Pixels. */
const fetchWithin = 900;

export interface ListPosition {
  readonly handle: RefObject<VirtualizerHandle | null>;
  readonly onScroll: (offset: number) => void;
  readonly onResize: () => void;
  /** Brings a row into the window. */
  readonly reveal: (index: number) => void;
  /** Shows a message, wherever in the history it is. */
  readonly openMessage: (id: string) => void;
  readonly jumpToNewest: () => void;
  /** The newest message is out of sight. */
  readonly away: boolean;
  /** What came in meanwhile. */
  readonly missed: number;
}

/**
 * Where one is in the history: at the newest message one stays there, further up nothing moves.
 * Pages are fetched before their end is seen.
 */
export function useListPosition({
  rows,
  state,
  conversation,
  target,
}: {
  readonly rows: readonly Row[];
  readonly state: ConversationState;
  readonly conversation: Conversation;
  readonly target: string | null;
}): ListPosition {
  const handle = useRef<VirtualizerHandle>(null);
  const stuck = useRef(true);
  const offsetBefore = useRef(0);
  const placed = useRef(false);
  /* Shown as soon as it is in the list. */
  const wanted = useRef<string | null>(target);
  const [away, setAway] = useState(false);
  const [seen, setSeen] = useState(0);
  const { list, unreadId, arrivals, phase } = state;
  const rowCount = rows.length;

  const toEnd = useCallback(() => {
    if (rowCount > 0) handle.current?.scrollToIndex(rowCount - 1, { align: "end" });
  }, [rowCount]);

  const look = useCallback(() => {
    const view = handle.current;
    if (!view || rowCount === 0) return;
    const offset = view.scrollOffset;
    const below = view.scrollSize - offset - view.viewportSize;
    const near = below < nearEnd;
    if (near) stuck.current = !list.hasNewer;
    else if (offset < offsetBefore.current - 2) stuck.current = false;
    offsetBefore.current = offset;
    setAway(list.hasNewer || !(near || stuck.current));
    if (stuck.current) {
      setSeen(arrivals);
      if (document.visibilityState === "visible") conversation.markRead();
    }
    if (placed.current && offset < fetchWithin) void conversation.loadOlder();
    if (placed.current && below < fetchWithin) void conversation.loadNewer();
  }, [conversation, list.hasNewer, arrivals, rowCount]);

  const show = useCallback(
    (id: string, align: "center" | "start"): boolean => {
      const index = rows.findIndex(({ message }) => message.id === id);
      if (index === -1) return false;
      stuck.current = false;
      handle.current?.scrollToIndex(index, { align, offset: align === "start" ? -48 : 0 });
      return true;
    },
    [rows],
  );

  /* One's own words are always shown. */
  const outgoing = list.outgoing.length;
  const outgoingBefore = useRef(outgoing);
  useLayoutEffect(() => {
    if (outgoing > outgoingBefore.current) {
      stuck.current = true;
      wanted.current = null;
      if (list.hasNewer) void conversation.reopen(null);
    }
    outgoingBefore.current = outgoing;
  }, [outgoing, list.hasNewer, conversation]);

  useLayoutEffect(() => {
    if (phase !== "ready" || rowCount === 0) return;
    if (wanted.current !== null && show(wanted.current, "center")) wanted.current = null;
    else if (!placed.current && unreadId !== null && show(unreadId, "start")) {
      /* Reading goes on where it ended. */
    } else if (stuck.current && !list.hasNewer) toEnd();
    placed.current = true;
    look();
  }, [phase, rowCount, unreadId, list, show, toEnd, look]);

  useEffect(() => {
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [look]);

  const openMessage = useCallback(
    (id: string) => {
      if (show(id, "center")) return;
      wanted.current = id;
      void conversation.reopen(id);
    },
    [conversation, show],
  );

  /* A link to another message of the room one is in already. */
  const targetBefore = useRef(target);
  useEffect(() => {
    if (target === targetBefore.current) return;
    targetBefore.current = target;
    if (target !== null) openMessage(target);
  }, [target, openMessage]);

  return {
    handle,
    onScroll: look,
    onResize: () => {
      if (stuck.current && !list.hasNewer) toEnd();
      look();
    },
    reveal: (index) => {
      stuck.current = index === rowCount - 1 && !list.hasNewer;
      handle.current?.scrollToIndex(index, { align: "nearest" });
    },
    openMessage,
    jumpToNewest: () => {
      stuck.current = true;
      wanted.current = null;
      if (list.hasNewer) void conversation.reopen(null);
      else toEnd();
      setAway(false);
    },
    away,
    missed: arrivals - seen,
  };
}
