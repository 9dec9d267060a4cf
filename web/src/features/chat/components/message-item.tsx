import { Clock, Pin } from "lucide-react";
import { memo, useEffect, useState, type ReactNode } from "react";
import { roleNames } from "@/domain/roles.ts";
import { MemberText } from "@/features/mentions/index.ts";
import { FoldBlocked, MemberName } from "@/features/people/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { messageExcerpt } from "@/lib/message-excerpt.ts";
import { clockTime, dayName, exactTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { RoleBadge } from "@/ui/badge.tsx";
import { classNames } from "@/ui/class-names.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { chatMessageStrings, chatStrings } from "../strings.ts";
import type { ChatMessage, Quote } from "../model/message.ts";
import { captionOf } from "../model/message-picture.ts";
import type { ScrollIdle } from "../model/scroll-idle.ts";
import { EditForm } from "./edit-form.tsx";
import { isLongMessage, MessageFold } from "./message-fold.tsx";
import { MessagePictureView } from "./message-picture.tsx";
import { MessageReactions } from "./message-reactions.tsx";
import { MessageToolbar } from "./message-toolbar.tsx";
import type { MessageActions } from "../use-message-actions.tsx";

export interface MessageItemProps {
  readonly message: ChatMessage;
  readonly day: number | null;
  readonly unread: boolean;
  readonly head: boolean;
  /** The room has no older messages. */
  readonly begins: boolean;
  readonly last: boolean;
  /** Said above the first message of all. */
  readonly startText: string;
  readonly own: boolean;
  /** The only message in the tab order. */
  readonly active: boolean;
  /** The address links to it. */
  readonly targeted: boolean;
  readonly editing: boolean;
  /** All of it is shown, however long it is. */
  readonly unfolded: boolean;
  /** It stands at the top of the room. */
  readonly pinned: boolean;
  readonly actions: MessageActions;
  /** The scroll state of the list. */
  readonly scrollIdle: ScrollIdle;
  readonly onChoose: (id: string) => void;
  readonly onOpenQuote: (id: string) => void;
  readonly onFold: (id: string, unfolded: boolean) => void;
}

/** One message with its separators. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, day, unread, head, begins, last, startText, active, targeted } = props;
  const { client } = useBackend();
  const name = message.author?.name ?? unnamedMember;
  const hasBeenIdle = useHasBeenIdle(props.scrollIdle);
  const content = (
    <FoldBlocked authorId={message.authorId} tabIndex={active ? 0 : -1}>
      <Content {...props} mayLoad={hasBeenIdle || active} />
    </FoldBlocked>
  );
  return (
    <div className={classNames("px-2 sm:px-6", last && "pb-3")}>
      {begins ? <p className="px-2 pt-6 pb-2 text-sm text-muted">{startText}</p> : null}
      {day === null ? null : <DaySeparator day={day} />}
      {unread ? <UnreadLine /> : null}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- It only remembers which message has the focus. */}
      <article
        data-message={message.id}
        data-delivery={message.delivery}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- One message at a time is a stop of the Tab key.
        tabIndex={active ? 0 : -1}
        aria-label={`${name}, ${exactTime(message.createdAt)}`}
        aria-current={targeted ? "location" : undefined}
        onFocus={() => props.onChoose(message.id)}
        className={classNames(
          "group relative grid max-w-[54rem] grid-cols-[2.25rem_minmax(0,max-content)_minmax(0,1fr)] rounded-control px-2 py-0.5 focus-visible:-outline-offset-2",
          head && "mt-3 pt-1",
          targeted ? "wash" : "hover:bg-hover",
        )}
      >
        {head ? (
          <Avatar
            id={message.authorId}
            name={name}
            picture={profilePictureUrl(client, message.author?.avatarUrl)}
            size="sm"
            className="mt-0.5 size-9"
          />
        ) : (
          <time
            dateTime={new Date(message.createdAt).toISOString()}
            className="tabular pt-1 text-right text-[0.6875rem] text-muted invisible group-focus-within:visible group-hover:visible"
          >
            {clockTime(message.createdAt)}
          </time>
        )}
        {/* As wide as its content, so that the actions stand beside a short message. */}
        <div className={classNames("min-w-0 pl-3", props.editing && "col-span-2")}>
          {head ? (
            <Head message={message} name={name} active={active} />
          ) : (
            <span className="sr-only">{name}: </span>
          )}
          {content}
        </div>
        {message.deleted || message.delivery !== "saved" || props.editing ? null : hasBeenIdle ||
          active ? (
          <div className="relative">
            <MessageToolbar
              message={message}
              own={props.own}
              active={active}
              pinned={props.pinned}
              actions={props.actions}
              name={name}
              head={head}
            />
          </div>
        ) : null}
      </article>
    </div>
  );
});

/**
 * True once the list has been idle while the row was mounted. The toolbar is half of the cost of a
 * row, and useless while it scrolls past.
 */
function useHasBeenIdle(scrollIdle: ScrollIdle): boolean {
  const [hasBeenIdle, setHasBeenIdle] = useState(scrollIdle.isIdle);
  useEffect(
    () => (hasBeenIdle ? undefined : scrollIdle.onIdle(() => setHasBeenIdle(true))),
    [scrollIdle, hasBeenIdle],
  );
  return hasBeenIdle;
}

function Head({
  message,
  name,
  active,
}: {
  readonly message: ChatMessage;
  readonly name: string;
  readonly active: boolean;
}) {
  const role = message.author?.role ?? "student";
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <MemberName
        id={message.authorId}
        name={name}
        tabIndex={active ? 0 : -1}
        className="max-w-full truncate font-semibold"
      />
      <RoleBadge role={role} label={roleNames[role]} />
      <time
        dateTime={new Date(message.createdAt).toISOString()}
        title={exactTime(message.createdAt)}
        className="tabular text-xs text-muted"
      >
        {clockTime(message.createdAt)}
      </time>
    </p>
  );
}

function Content(props: MessageItemProps & { readonly mayLoad: boolean }): ReactNode {
  const { message, editing, active, actions, onOpenQuote, unfolded, onFold, mayLoad } = props;
  const caption = captionOf(message);
  if (message.deleted) {
    return <p className="text-muted italic">{chatStrings.deleted}</p>;
  }
  if (editing) return <EditForm message={message} actions={actions} />;
  const words = (
    <MemberText
      subjectId={actions.canMention && message.delivery === "saved" ? message.id : ""}
      createdAt={message.createdAt}
      content={caption}
      pending={message.delivery !== "saved"}
      linksFocusable={active && (unfolded || !isLongMessage(caption))}
    />
  );
  return (
    <>
      {message.parentId === null ? null : (
        <QuoteLine quote={message.quote} active={active} onOpen={onOpenQuote} />
      )}
      {caption === "" ? null : isLongMessage(caption) ? (
        <MessageFold
          open={unfolded}
          focusable={active}
          onToggle={() => onFold(message.id, !unfolded)}
        >
          {words}
        </MessageFold>
      ) : (
        words
      )}
      {message.picture === null ? null : (
        <MessagePictureView
          picture={message.picture}
          author={message.author?.name ?? unnamedMember}
          sending={message.delivery === "sending"}
          focusable={active}
          mayLoad={mayLoad}
        />
      )}
      <Notes message={message} active={active} actions={actions} pinned={props.pinned} />
    </>
  );
}

/** Likes, reactions, edit mark, pin and delivery below the text. */
function Notes({
  message,
  active,
  actions,
  pinned,
}: Pick<MessageItemProps, "message" | "active" | "actions" | "pinned">): ReactNode {
  const { likeCount, reactionCounts, edited, delivery } = message;
  const hasReactions = likeCount > 0 || Object.keys(reactionCounts).length > 0;
  if (!hasReactions && !edited && !pinned && delivery === "saved") return null;
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted">
      {hasReactions ? (
        <MessageReactions message={message} active={active} actions={actions} />
      ) : null}
      {edited ? <span>{chatMessageStrings.edited}</span> : null}
      {pinned ? (
        <span className="flex items-center gap-1">
          <Pin aria-hidden className="size-3" /> {chatMessageStrings.pinned}
        </span>
      ) : null}
      {delivery === "sending" ? <span>{chatMessageStrings.sending}</span> : null}
      {delivery === "queued" ? (
        <span className="flex items-center gap-1">
          <Clock aria-hidden className="size-3" /> {chatMessageStrings.queued}
        </span>
      ) : null}
    </div>
  );
}

function QuoteLine({
  quote,
  active,
  onOpen,
}: {
  readonly quote: Quote | null;
  readonly active: boolean;
  readonly onOpen: (id: string) => void;
}) {
  if (quote === null || quote.content === "") {
    return (
      <p className="mb-0.5 border-l-2 border-line pl-2 text-sm text-muted italic">
        {chatMessageStrings.replyToUnknown}
      </p>
    );
  }
  return (
    <button
      type="button"
      tabIndex={active ? 0 : -1}
      onClick={() => onOpen(quote.id)}
      className="mb-0.5 flex min-h-6 max-w-full items-center gap-1.5 rounded-r-control border-l-2 border-control-line pr-2 pl-2 text-left text-sm text-muted hover:bg-hover hover:text-ink"
    >
      <span className="sr-only">{chatMessageStrings.replyTo}</span>
      <bdi className="shrink-0 font-medium">{quote.author}</bdi>
      <span dir="auto" className="truncate">
        {messageExcerpt(quote.content)}
      </span>
    </button>
  );
}

function DaySeparator({ day }: { readonly day: number }) {
  const now = useNow();
  return (
    <div className="flex items-center gap-3 px-2 pt-5 pb-1 text-xs font-medium text-muted">
      <span aria-hidden className="h-px grow bg-line" />
      <h2 className="text-xs">{dayName(day, now)}</h2>
      <span aria-hidden className="h-px grow bg-line" />
    </div>
  );
}

function UnreadLine() {
  return (
    <div
      data-unread-line
      className="flex items-center gap-3 px-2 pt-3 text-xs font-medium text-accent"
    >
      <span aria-hidden className="h-px grow bg-accent" />
      <p>{chatMessageStrings.unread}</p>
      <span aria-hidden className="h-px grow bg-accent" />
    </div>
  );
}
