import { useLocation } from "react-router";
import { Alert } from "@/ui/alert.tsx";
import { parseClosedRoom, type ClosedRoom } from "../model/closed-room.ts";

/** Says on `/chats` why the room that was asked for is not shown. */
export function ClosedRoomAlert() {
  const room = parseClosedRoom(useLocation().state);
  if (room === null) return null;
  return (
    <Alert
      tone="info"
      title={room.kind === "failed" ? "We couldn't open the room" : `${room.name} is locked`}
    >
      {reasonOf(room)}
    </Alert>
  );
}

function reasonOf(room: ClosedRoom): string {
  switch (room.kind) {
    case "level":
      return `It opens at Level ${room.minLevel}.`;
    case "membership":
      return "Chat rooms are for active members.";
    case "failed":
      return "Check your connection and open it again from the list.";
  }
}
