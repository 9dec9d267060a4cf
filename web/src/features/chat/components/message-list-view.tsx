import { ArrowDown } from "lucide-react";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from "react";
import { Virtualizer } from "virtua";
import { messageFieldId } from "@/lib/typed-ahead.ts";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { Conversation } from "../model/conversation.ts";
import type { ConversationState } from "../model/conversation-store.ts";
import { shownMessages } from "../model/message-list.ts";
import type { MessagePlace } from "../model/message-place.ts";
import { createScrollIdle } from "../model/scroll-idle.ts";
import { toListRows, type ListRow } from "../model/list-rows.ts";
import { chatMessageStrings, placeTexts } from "../strings.ts";
import { useListPosition } from "../use-list-position.ts";
import { MessageItem } from "./message-item.tsx";
import { pressMessageKey } from "./press-message-key.ts";
import type { MessageActions } from "../use-message-actions.tsx";

/** Frames. */
const maxFocusAttempts = 60;

export interface MessageListViewProps {
  readonly room: MessagePlace;
  readonly userId: string;
  /** The message linked in the address. */
  readonly target: string | null;
  /** Changes when a link is followed, also to the same message again. */
  readonly targetKey?: string | undefined;
  /** Messages at the top of the room. */
  readonly pinnedIds?: ReadonlySet<string> | undefined;
  readonly conversation: Conversation;
  readonly state: ConversationState;
  readonly actions: MessageActions;
  readonly editingId: string | null;
}

/**
 * The virtualised list of messages. The row with the keyboard focus stays mounted. Arrow keys move
 * between messages, and from the newest down to the message field; letters act on the current one. Tab moves into the actions of the current one.
 */
export function MessageListView(props: MessageListViewProps) {
  const { room, userId, target, targetKey, pinnedIds, conversation, state, actions, editingId } =
    props;
  const { list, unreadId } = state;
  const texts = placeTexts(room);
  const rows = useMemo(
    () => toListRows(shownMessages(list), { unreadId, hasOlder: list.hasOlder }),
    [list, unreadId],
  );
  const position = useListPosition({ rows, state, conversation, target, targetKey });
  const { scroller, handle, onScroll, onResize, reveal, holdPlace, openMessage } = position;
  const { jumpToNewest, away, missed } = position;
  const { isUnfolded, fold } = useFolds(rows, reveal, holdPlace);
  const [scrollIdle] = useState(createScrollIdle);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen = rows.findIndex(({ message }) => message.id === chosenId);
  const active = chosen === -1 ? rows.length - 1 : chosen;
  const choose = useCallback((id: string) => setChosenId(id), []);

  // Choosing a row mounts it, wherever the list is scrolled. Then it can be focused.
  const toFocus = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = toFocus.current;
    if (id === null || id !== chosenId) return;
    toFocus.current = null;
    let tries = 0;
    const focus = () => {
      const found = scroller.current?.querySelector<HTMLElement>(`article[data-message="${id}"]`);
      found?.focus({ preventScroll: true });
      tries += 1;
      // A newly mounted row cannot have the focus before it is measured.
      if (document.activeElement !== found && tries < maxFocusAttempts)
        requestAnimationFrame(focus);
    };
    focus();
  }, [chosenId, scroller]);

  // Which of two rows shows its actions: the one with the focus after a key, the one under the pointer after that was moved.
  useEffect(() => {
    const pressed = () => {
      if (scroller.current) scroller.current.dataset["input"] = "keys";
    };
    document.addEventListener("keydown", pressed, true);
    return () => document.removeEventListener("keydown", pressed, true);
  }, [scroller]);

  function focusRow(index: number): void {
    const id = rows[index]?.message.id;
    if (id === undefined || id === chosenId) return;
    toFocus.current = id;
    setChosenId(id);
    reveal(index);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!(event.target instanceof HTMLElement) || event.target.tagName !== "ARTICLE") return;
    const to = { ArrowUp: active - 1, ArrowDown: active + 1, Home: 0, End: rows.length - 1 }[
      event.key
    ];
    const message = rows[active]?.message;
    if (event.key === "Escape" && !event.defaultPrevented) {
      document.getElementById(messageFieldId)?.focus();
      event.preventDefault();
      return;
    }
    if (to === undefined) {
      if (message) pressMessageKey(event, { message, own: message.authorId === userId, actions });
      return;
    }
    event.preventDefault();
    if (event.key === "ArrowDown" && to === rows.length) {
      document.getElementById(messageFieldId)?.focus();
      return;
    }
    focusRow(Math.min(rows.length - 1, Math.max(0, to)));
  }

  return (
    <div className="relative min-h-0 grow">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys move between the messages inside; each is an element of its own. */}
      <div
        ref={scroller}
        role="log"
        aria-live="off"
        data-live={state.live}
        aria-label={texts.list}
        aria-busy={state.phase === "loading" || undefined}
        onKeyDown={onKeyDown}
        onPointerMove={({ currentTarget }) => {
          currentTarget.dataset["input"] = "pointer";
        }}
        className="group/list flex h-full flex-col overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        <div className="grow" />
        {state.phase === "loading" ? <ListSkeleton /> : null}
        {state.phase === "ready" && rows.length === 0 ? <NothingYet texts={texts} /> : null}
        <Virtualizer
          ref={handle}
          data={rows}
          shift={list.grewOnTop}
          bufferSize={300}
          keepMounted={active >= 0 ? [active] : []}
          scrollRef={scroller}
          onScroll={() => {
            scrollIdle.scrollStarted();
            onScroll();
          }}
          onScrollEnd={scrollIdle.scrollEnded}
          onResize={onResize}
        >
          {(row, index) => (
            <MessageItem
              key={row.message.id}
              message={row.message}
              day={row.day}
              unread={row.unread}
              head={row.head}
              begins={index === 0 && !list.hasOlder}
              last={index === rows.length - 1}
              startText={texts.start}
              own={row.message.authorId === userId}
              active={index === active}
              targeted={row.message.id === target}
              editing={row.message.id === editingId}
              pinned={pinnedIds?.has(row.message.id) ?? false}
              actions={actions}
              scrollIdle={scrollIdle}
              onChoose={choose}
              onOpenQuote={openMessage}
              unfolded={isUnfolded(row.message.id, row.message.id === target)}
              onFold={fold}
            />
          )}
        </Virtualizer>
      </div>
      {state.fetching === "older" ? (
        <div
          role="status"
          // A hair along the top, which covers no words. Shown with a delay, because most pages load faster.
          className="absolute inset-x-0 top-0 h-0.5 origin-left animate-[approach_4s_var(--ease-out)_300ms_both] bg-accent"
        >
          <span className="sr-only">{chatMessageStrings.loadingEarlier}</span>
        </div>
      ) : null}
      {away ? (
        <Button
          variant="secondary"
          size="sm"
          className="absolute right-4 bottom-3 rounded-full shadow-float sm:right-8"
          onClick={jumpToNewest}
        >
          <ArrowDown aria-hidden className="size-4" />
          {chatMessageStrings.jumpToNewest}
          {missed > 0 ? (
            <span
              data-edge=""
              className="tabular rounded-full bg-accent px-1.5 text-xs text-on-accent"
            >
              {missed}
              <span className="sr-only">{chatMessageStrings.missed}</span>
            </span>
          ) : null}
        </Button>
      ) : null}
    </div>
  );
}

/**
 * Which long messages are shown in full. A row that is scrolled away forgets what was chosen, so the list keeps it. One that is linked
 * to is shown in full until it is folded: the words that were looked for may be at its end.
 */
function useFolds(
  rows: readonly ListRow[],
  reveal: (index: number) => void,
  holdPlace: () => void,
) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const folded = useRef<string | null>(null);
  const fold = useCallback(
    (id: string, unfolded: boolean) => {
      // What one was reading stays where it is, and the message grows below it.
      holdPlace();
      if (!unfolded) folded.current = id;
      setChosen((before) => new Map(before).set(id, unfolded));
    },
    [holdPlace],
  );
  // The beginning of what was folded may be far above by then.
  useLayoutEffect(() => {
    const index = rows.findIndex(({ message }) => message.id === folded.current);
    folded.current = null;
    if (index !== -1) reveal(index);
  });
  return {
    isUnfolded: (id: string, isTargeted: boolean) => chosen.get(id) ?? isTargeted,
    fold,
  };
}

function ListSkeleton() {
  return (
    <Loading label={chatMessageStrings.loading} className="grid gap-6 px-4 py-6 sm:px-8">
      {["w-2/3", "w-1/2", "w-3/4", "w-2/5"].map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="size-9 rounded-full" />
          <div className="grid grow content-start gap-2">
            <Skeleton className="w-32" />
            <Skeleton className={width} />
          </div>
        </div>
      ))}
    </Loading>
  );
}

function NothingYet({ texts }: { readonly texts: ReturnType<typeof placeTexts> }) {
  return (
    <div className="grid gap-1 px-4 py-6 sm:px-8">
      <p className="font-medium">{texts.empty}</p>
      <p className="text-sm text-muted">{texts.emptyHint}</p>
    </div>
  );
}
