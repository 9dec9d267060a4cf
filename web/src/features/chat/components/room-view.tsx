import { useEffect, useMemo } from "react";
import { useLocation } from "react-router";
import { systemClock } from "@/lib/clock.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import type { Pin } from "../api/pins.ts";
import type { Room } from "../model/room.ts";
import { useInvalidatePins, useInvalidateRoom, usePins } from "../queries.ts";
import { roomSource, type MakeSource } from "../use-conversation.ts";
import { useParticipation } from "../use-participation.ts";
import { usePeople } from "../use-people.ts";
import { useRecountUnreadRooms } from "../use-unread-rooms.ts";
import { ConversationPane } from "./conversation-pane.tsx";
import { PinStrip } from "./pin-strip.tsx";
import { RoomHeader } from "./room-header.tsx";

/** How long after a member joined or left the count is fetched again. Milliseconds. */
const presenceSettleMs = 2000;

const noPins: readonly Pin[] = [];

/** An open room: header, pins, messages and message field. */
export function RoomView({ room, userId }: { readonly room: Room; readonly userId: string }) {
  const { hash, key } = useLocation();
  usePageDetail(room.name);
  const target = hash.length > 1 ? hash.slice(1) : null;

  const refreshCounts = useInvalidateRoom(room.id);
  const renewPlace = useParticipation(room.id, refreshCounts);
  const refreshPins = useInvalidatePins(room.id);
  const people = usePeople(room.id, userId, renewPlace, refreshPins);
  const { data: pins = noPins } = usePins(room.id);
  const pinnedIds = useMemo(() => new Set(pins.map(({ messageId }) => messageId)), [pins]);
  const { refresh: refreshPeople } = people;
  // When presence and count differ, a member has just joined or left.
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

  // The number at Chats follows the first reading at once, and what was read later when the room is left.
  const recountUnread = useRecountUnreadRooms();
  useEffect(() => recountUnread, [recountUnread]);
  const makeSource: MakeSource = (client, roomId, memberId) => {
    const source = roomSource(client, roomId, memberId);
    let hasRead = false;
    const markRead = async (upTo: string) => {
      await source.markRead(upTo);
      if (!hasRead) recountUnread();
      hasRead = true;
    };
    return { ...source, markRead };
  };

  return (
    <ConversationPane
      place={room}
      userId={userId}
      target={target}
      targetKey={key}
      pinnedIds={pinnedIds}
      onPinned={refreshPins}
      makeSource={makeSource}
      typing={{
        names: people.typing,
        sendTyping: people.sendTyping,
        stopTyping: people.stopTyping,
      }}
      renderHeader={(messages) => (
        <>
          <RoomHeader room={room} here={people.here} messages={messages} selfId={userId} />
          <PinStrip pins={pins} />
        </>
      )}
    />
  );
}
