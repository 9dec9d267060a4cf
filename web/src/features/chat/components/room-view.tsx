import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { systemClock } from "@/lib/clock.ts";
import { Button } from "@/ui/button.tsx";
import { displayName, useSession } from "@/features/session/index.ts";
import type { ChatMessage, Quote } from "../model/message.ts";
import type { Room } from "../model/room.ts";
import { useInvalidateRoom } from "../queries.ts";
import { useConversation } from "../use-conversation.ts";
import { useOutbox } from "../use-outbox.ts";
import { useParticipation } from "../use-participation.ts";
import { usePeople } from "../use-people.ts";
import { NewMessageAnnouncer } from "./new-message-announcer.tsx";
import { Composer, type ComposerHandle } from "./composer.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";
import { MessageListView } from "./message-list-view.tsx";
import { RoomHeader } from "./room-header.tsx";
import { TypingLine } from "./typing-line.tsx";
import { useMessageActions } from "../use-message-actions.tsx";

/** How long after a member joined or left the count is fetched again. Milliseconds. */
const presenceSettleMs = 2000;

/** An open room: header, messages and message field. */
export function RoomView({ room, userId }: { readonly room: Room; readonly userId: string }) {
  const { user, profile, role } = useSession();
  const { hash } = useLocation();
  const target = hash.length > 1 ? hash.slice(1) : null;
  const self = {
    id: userId,
    name: displayName(profile, user?.email ?? "A member"),
    role,
    avatarUrl: profile?.avatarUrl ?? null,
  };
  const { outbox, state: outgoing } = useOutbox(userId);
  const { conversation, state } = useConversation(room.id, userId, target, outbox);
  const [reply, setReply] = useState<Quote | null>(null);
  const composer = useRef<ComposerHandle>(null);

  const refreshCounts = useInvalidateRoom(room.id);
  const renewPlace = useParticipation(room.id, refreshCounts);
  const people = usePeople(room.id, userId, renewPlace);
  const { refresh: refreshPeople, stopTyping } = people;
  /* When presence and count differ, a member has just joined or left. */
  const present = people.count;
  const counted = room.participants;
  useEffect(() => {
    if (present === counted) return undefined;
    refreshCounts();
    return systemClock.after(presenceSettleMs, () => {
      refreshCounts();
      refreshPeople();
    });
  }, [refreshCounts, refreshPeople, present, counted]);

  const newest = state.list.messages.at(-1);
  useEffect(() => {
    if (newest) stopTyping(newest.authorId);
  }, [stopTyping, newest]);

  const answer = useCallback((message: ChatMessage) => {
    setReply({
      id: message.id,
      author: message.author?.name ?? "A member",
      content: message.content,
    });
    composer.current?.focus();
  }, []);
  const messageActions = useMessageActions({ room, conversation, onReply: answer });

  return (
    <div className="flex h-full min-h-0 flex-col">
      <RoomHeader room={room} here={people.here} selfId={userId} />
      {state.phase === "failed" ? (
        <div role="alert" className="grid grow place-content-center justify-items-start gap-3 px-6">
          <p className="font-medium">We couldn't load the messages.</p>
          <Button variant="secondary" onClick={() => void conversation.reopen(target)}>
            Try again
          </Button>
        </div>
      ) : (
        <MessageListView
          room={room}
          userId={userId}
          target={target}
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
      <TypingLine names={people.typing} />
      <Composer
        ref={composer}
        room={room}
        self={{ ...self, occupation: profile?.occupation ?? "" }}
        outbox={outbox}
        outgoing={outgoing}
        reply={reply}
        onReply={setReply}
        onTyping={people.sendTyping}
      />
      {messageActions.dialogs}
    </div>
  );
}
