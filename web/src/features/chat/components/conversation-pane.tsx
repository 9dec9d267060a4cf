import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { displayName, useSession } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { useFileDrop } from "@/ui/use-file-drop.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import { chatMessageStrings, chatStrings, composerStrings } from "../strings.ts";
import type { ChatMessage, Quote } from "../model/message.ts";
import type { MessagePlace } from "../model/message-place.ts";
import { useConversation, type MakeSource } from "../use-conversation.ts";
import { useMessageActions, type MessageCalls } from "../use-message-actions.tsx";
import { useOutbox } from "../use-outbox.ts";
import { Composer, type ComposerHandle } from "./composer.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { MessageListView } from "./message-list-view.tsx";
import { NewMessageAnnouncer } from "./new-message-announcer.tsx";
import { TypingLine } from "./typing-line.tsx";

export interface ConversationPaneProps {
  readonly place: MessagePlace;
  readonly userId: string;
  /** The message linked in the address. */
  readonly target: string | null;
  /** Changes when the same message is linked to again. */
  readonly targetKey?: string;
  readonly pinnedIds?: ReadonlySet<string>;
  /** A message was pinned or taken down; absent where nothing is pinned. */
  readonly onPinned?: () => void;
  readonly typing: {
    readonly names: readonly string[];
    /** Call on every key press. */
    readonly sendTyping: () => void;
    /** A member has sent the message they were typing. */
    readonly stopTyping: (id: string) => void;
  };
  /** What stands above, by the messages that are loaded, oldest first. */
  readonly renderHeader: (messages: readonly ChatMessage[]) => ReactNode;
  /** Stands in place of the message field where one may not write. */
  readonly closed?: ReactNode | undefined;
  /** The requests, where they are not those of a room. */
  readonly makeSource?: MakeSource | undefined;
  readonly calls?: MessageCalls | undefined;
}

/** Messages and message field of a room, or of a conversation with a member, below its header. */
export function ConversationPane(props: ConversationPaneProps) {
  const { place, userId, target, targetKey, pinnedIds, onPinned, typing, renderHeader } = props;
  const { closed, makeSource, calls } = props;
  const { user, profile, role } = useSession();
  const self = {
    id: userId,
    name: displayName(profile, user?.email ?? unnamedMember),
    role,
    avatarUrl: profile?.avatarUrl ?? null,
  };
  const { outbox, state: outgoing } = useOutbox(userId);
  const { conversation, state } = useConversation(place.id, userId, target, outbox, makeSource);
  const [reply, setReply] = useState<Quote | null>(null);
  const composer = useRef<ComposerHandle>(null);
  const pane = useRef<HTMLDivElement>(null);

  const { stopTyping } = typing;
  const newest = state.list.messages.at(-1);
  useEffect(() => {
    if (newest) stopTyping(newest.authorId);
  }, [stopTyping, newest]);

  const answer = useCallback((message: ChatMessage) => {
    setReply({
      id: message.id,
      author: message.author?.name ?? unnamedMember,
      content: message.content,
    });
    composer.current?.focus();
  }, []);
  const messageActions = useMessageActions({
    room: place,
    conversation,
    onReply: answer,
    ...(calls && { calls }),
    ...(onPinned && { onPinned }),
  });

  const takesPictures = place.kind !== "member" && closed === undefined;
  const drop = useFileDrop(takesPictures ? (files) => composer.current?.addPicture(files) : null);

  return (
    <div ref={pane} className="relative flex h-full min-h-0 flex-col" {...drop.handlers}>
      {drop.over ? (
        <p className="wash pointer-events-none absolute inset-2 z-20 grid place-content-center rounded-card border-2 border-dashed border-accent font-medium">
          {composerStrings.dropPicture}
        </p>
      ) : null}
      {renderHeader(state.list.messages)}
      {state.phase === "failed" ? (
        <div role="alert" className="grid grow place-content-center justify-items-start gap-3 px-6">
          <p className="font-medium">{chatMessageStrings.failed}</p>
          <Button variant="secondary" onClick={() => void conversation.reopen(target)}>
            {chatStrings.retry}
          </Button>
        </div>
      ) : (
        <MessageListView
          room={place}
          userId={userId}
          target={target}
          targetKey={targetKey}
          pinnedIds={pinnedIds}
          conversation={conversation}
          state={state}
          actions={messageActions.actions}
          editingId={messageActions.editingId}
        />
      )}
      <NewMessageAnnouncer
        messages={state.list.messages}
        selfId={userId}
        liveMessageCount={state.liveMessageCount}
      />
      <ConnectionBanner live={state.live} waiting={outgoing.entries.length} />
      <TypingLine names={typing.names} />
      {/* Where a toast lies, above the message field: it hides no words. */}
      <div
        aria-hidden
        className="h-[calc(var(--toast-height,0px)+min(var(--toast-height,0px),1.5rem))] shrink-0 lg:hidden short:hidden"
      />
      {closed ?? (
        <Composer
          ref={composer}
          room={place}
          self={{ ...self, occupation: profile?.occupation ?? "" }}
          outbox={outbox}
          outgoing={outgoing}
          reply={reply}
          onReply={setReply}
          onTyping={typing.sendTyping}
          onUp={() => {
            // The newest in sight, which may be what one has just sent; not that which was chosen before.
            const rows = pane.current?.querySelectorAll<HTMLElement>("article[data-message]") ?? [];
            [...rows].at(-1)?.focus();
          }}
        />
      )}
      {messageActions.dialogs}
    </div>
  );
}
