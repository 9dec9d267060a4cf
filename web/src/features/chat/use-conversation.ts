import { useEffect, useState, useSyncExternalStore } from "react";
import { useBackend } from "@/lib/backend.tsx";
import type { BackendClient } from "@/lib/backend-client.ts";
import { systemClock } from "@/lib/clock.ts";
import { findMessageCursor } from "./api/find-message-cursor.ts";
import { markRoomRead } from "./api/mark-room-read.ts";
import { readChanges } from "./api/read-changes.ts";
import { readNewer } from "./api/read-newer.ts";
import { readPage } from "./api/read-page.ts";
import { fetchLastRead } from "./api/fetch-last-read.ts";
import { setLike } from "./api/set-like.ts";
import { setReaction } from "./api/set-reaction.ts";
import { watchMessages } from "./api/watch-messages.ts";
import { createConversation, type Conversation } from "./model/conversation.ts";
import type { ConversationSource } from "./model/conversation-source.ts";
import type { ConversationState } from "./model/conversation-store.ts";
import { outgoingMessage } from "./model/message.ts";
import type { Outbox } from "./model/outbox.ts";

/** Makes the requests of a conversation. */
export type MakeSource = (
  client: BackendClient,
  placeId: string,
  userId: string,
) => ConversationSource;

/** The requests of a room. */
export function roomSource(
  client: BackendClient,
  roomId: string,
  userId: string,
): ConversationSource {
  return {
    readPage: (before) => readPage(client, roomId, before),
    readNewer: (from) => readNewer(client, roomId, from),
    readChanges: (since) => readChanges(client, roomId, since),
    findMessageCursor: (id) => findMessageCursor(client, roomId, id),
    readLastRead: () => fetchLastRead(client, userId, roomId),
    markRead: (upTo) => markRoomRead(client, roomId, upTo),
    setLike: (id, liked) => setLike(client, userId, id, liked),
    setReaction: (messageId, reaction, given) =>
      setReaction(client, { userId, messageId, reaction }, given),
    watch: (watcher) => watchMessages(client, roomId, watcher),
  };
}

/** Opens the conversation of a room, or of the place a source is given for, while the component is mounted. */
export function useConversation(
  roomId: string,
  userId: string,
  targetId: string | null,
  outbox: Outbox,
  makeSource: MakeSource = roomSource,
): { readonly conversation: Conversation; readonly state: ConversationState } {
  const { client } = useBackend();
  const [conversation] = useState(() =>
    createConversation(makeSource(client, roomId, userId), userId, systemClock),
  );
  // A later change of the address is handled by `reopen`.
  const [firstTarget] = useState(targetId);
  const state = useSyncExternalStore(conversation.subscribe, conversation.getState);

  useEffect(() => conversation.start(firstTarget), [conversation, firstTarget]);

  useEffect(() => {
    const show = () => {
      const own = outbox.getState().entries.filter(({ message }) => message.roomId === roomId);
      conversation.showOutgoing(
        own.map(({ message, delivery }) => outgoingMessage(message, delivery)),
      );
    };
    show();
    const unsubscribe = outbox.subscribe(show);
    const forget = outbox.onSaved((message, row) => {
      if (message.roomId === roomId) conversation.accept(row);
    });
    return () => {
      unsubscribe();
      forget();
    };
  }, [conversation, outbox, roomId]);

  // A socket may have died silently while the tab slept, so messages are fetched on return.
  useEffect(() => {
    const syncIfVisible = () => {
      if (document.visibilityState === "visible" && navigator.onLine)
        void conversation.syncMissed();
    };
    document.addEventListener("visibilitychange", syncIfVisible);
    window.addEventListener("online", syncIfVisible);
    window.addEventListener("pageshow", syncIfVisible);
    return () => {
      document.removeEventListener("visibilitychange", syncIfVisible);
      window.removeEventListener("online", syncIfVisible);
      window.removeEventListener("pageshow", syncIfVisible);
    };
  }, [conversation]);

  return { conversation, state };
}
