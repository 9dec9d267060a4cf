import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import type { VirtualizerHandle } from "virtua";
import type { Conversation } from "./model/conversation.ts";
import type { ConversationState } from "./model/conversation-store.ts";
import type { ListRow } from "./model/list-rows.ts";

/** Within this distance the list counts as scrolled to the end. */
const nearEndPx = 80;
/** Within this distance of an end the next page is fetched. */
const fetchWithinPx = 900;

export interface ListPosition {
  /** Ref of the scrolling element. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly handle: RefObject<VirtualizerHandle | null>;
  readonly onScroll: () => void;
  readonly onResize: () => void;
  /** Scrolls a row into view. */
  readonly reveal: (index: number) => void;
  /** Stays at the rows in view when one of them changes its height, also at the end. */
  readonly holdPlace: () => void;
  /** Shows a message anywhere in the history. */
  readonly openMessage: (id: string) => void;
  readonly jumpToNewest: () => void;
  /** The newest message is out of view. */
  readonly away: boolean;
  /** Number of messages that arrived meanwhile. */
  readonly missed: number;
}

/**
 * The scroll position in the history. At the newest message the list follows new ones; further up
 * it stays still. Pages are fetched before their end is reached.
 */
export function useListPosition({
  rows,
  state,
  conversation,
  target,
  targetKey = "",
}: {
  readonly rows: readonly ListRow[];
  readonly state: ConversationState;
  readonly conversation: Conversation;
  readonly target: string | null;
  /** Changes when a link is followed, also to the same message again. */
  readonly targetKey?: string | undefined;
}): ListPosition {
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<VirtualizerHandle>(null);
  const stuck = useRef(true);
  const leavesEnd = useUpwardScroll(handle, rows.length);
  const placed = useRef(false);
  const isSent = useRef(false);
  // Id of the member's newest message until it has been at the end of the list.
  const sending = useRef<string | null>(null);
  // Id of a message to scroll to as soon as it is loaded.
  const wanted = useRef<string | null>(target);
  const [away, setAway] = useState(false);
  const [seen, setSeen] = useState(0);
  const { list, unreadId, liveMessageCount, phase } = state;
  const rowCount = rows.length;

  // While rows are being measured, `scrollToIndex` can pull back a user who scrolls up. It is used only to cancel a
  // pending jump: to a message, or to the end as it was before the member's own message came.
  const toEnd = useCallback(() => {
    if (isSent.current || sending.current !== null)
      handle.current?.scrollToIndex(rowCount - 1, { align: "end" });
    else if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
    isSent.current = false;
  }, [rowCount]);

  const look = useCallback(
    (canFetch = true) => {
      const view = handle.current;
      if (!view || rowCount === 0) return;
      const offset = view.scrollOffset;
      const below = view.scrollSize - offset - view.viewportSize;
      const near = below < nearEndPx;
      if (near) stuck.current = !list.hasNewer;
      // While the newest page is loading, the message stands alone, and the end is still to come.
      if (near && phase === "ready" && !list.hasNewer) {
        if (rows.some(({ message }) => message.id === sending.current)) sending.current = null;
      }
      setAway(list.hasNewer || !(near || stuck.current));
      if (stuck.current) {
        setSeen(liveMessageCount);
        if (document.visibilityState === "visible") conversation.markRead();
      }
      if (!placed.current || !canFetch) return;
      if (offset < fetchWithinPx) void conversation.loadOlder();
      if (below < fetchWithinPx) void conversation.loadNewer();
    },
    [conversation, list.hasNewer, liveMessageCount, phase, rowCount, rows],
  );

  const show = useCallback(
    (id: string, align: "center" | "start"): boolean => {
      const index = rows.findIndex(({ message }) => message.id === id);
      if (index === -1) return false;
      stuck.current = false;
      sending.current = null;
      isSent.current = true;
      handle.current?.scrollToIndex(index, { align, offset: align === "start" ? -48 : 0 });
      return true;
    },
    [rows],
  );

  // The member's own messages are always scrolled into view.
  const outgoing = list.outgoing.length;
  const outgoingBefore = useRef(outgoing);
  useLayoutEffect(() => {
    if (outgoing > outgoingBefore.current) {
      stuck.current = true;
      sending.current = list.outgoing.at(-1)?.id ?? null;
      wanted.current = null;
      if (list.hasNewer) void conversation.reopen(null);
    }
    outgoingBefore.current = outgoing;
  }, [outgoing, list.outgoing, list.hasNewer, conversation]);

  useLayoutEffect(() => {
    if (phase !== "ready" || rowCount === 0) return;
    if (wanted.current !== null && show(wanted.current, "center")) wanted.current = null;
    else if (!placed.current && unreadId !== null && show(unreadId, "start")) {
      // Scrolled to the unread line.
    } else if (stuck.current && !list.hasNewer) toEnd();
    placed.current = true;
    // What came on top moves the list down, but the list only knows once it is told that it was
    // scrolled.
    look(!list.grewOnTop);
  }, [phase, rowCount, unreadId, list, show, toEnd, look]);

  useEffect(() => {
    const lookAgain = () => look();
    document.addEventListener("visibilitychange", lookAgain);
    return () => document.removeEventListener("visibilitychange", lookAgain);
  }, [look]);

  const openMessage = useCallback(
    (id: string) => {
      if (show(id, "center")) return;
      wanted.current = id;
      void conversation.reopen(id);
    },
    [conversation, show],
  );

  // A stable function, or every row would render again with each page.
  const latestOpen = useRef(openMessage);
  useLayoutEffect(() => {
    latestOpen.current = openMessage;
  }, [openMessage]);
  const openFromRow = useCallback((id: string) => latestOpen.current(id), []);

  const holdPlace = useCallback(() => {
    stuck.current = false;
    sending.current = null;
  }, []);

  // A link to another message of the open room.
  const targetBefore = useRef({ target, targetKey });
  useEffect(() => {
    const before = targetBefore.current;
    if (target === before.target && targetKey === before.targetKey) return;
    targetBefore.current = { target, targetKey };
    if (target !== null) openMessage(target);
  }, [target, targetKey, openMessage]);

  return {
    scroller,
    handle,
    onScroll: () => {
      if (leavesEnd() && sending.current === null) stuck.current = false;
      look();
    },
    onResize: () => {
      if (stuck.current && !list.hasNewer) toEnd();
      look();
    },
    reveal: (index) => {
      stuck.current = index === rowCount - 1 && !list.hasNewer;
      isSent.current = true;
      handle.current?.scrollToIndex(index, { align: "nearest" });
    },
    holdPlace,
    openMessage: openFromRow,
    jumpToNewest: () => {
      stuck.current = true;
      wanted.current = null;
      if (list.hasNewer) void conversation.reopen(null);
      else toEnd();
      setAway(false);
    },
    away,
    missed: liveMessageCount - seen,
  };
}

/**
 * Returns a function that tells at each scroll event whether the member scrolled up, which moves
 * the first visible row down. Measuring rows moves the list as well, but keeps that row in place.
 */
function useUpwardScroll(
  handle: RefObject<VirtualizerHandle | null>,
  rowCount: number,
): () => boolean {
  const before = useRef({ index: 0, within: 0, rowCount: 0 });
  return () => {
    const view = handle.current;
    if (!view) return false;
    const offset = view.scrollOffset;
    const last = before.current;
    const index = view.findItemIndex(offset);
    before.current = { index, within: offset - view.getItemOffset(index), rowCount };
    return last.rowCount === rowCount && offset - view.getItemOffset(last.index) < last.within - 2;
  };
}
