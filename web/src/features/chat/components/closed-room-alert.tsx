import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Alert } from "@/ui/alert.tsx";
import { parseClosedRoom } from "../model/closed-room.ts";
import { roomListStrings } from "../strings.ts";

/**
 * Says on `/chats` why the room that was asked for is not shown. The reason is taken out of the history at once, so that
 * it is not said again after a reload or on the way back.
 */
export function ClosedRoomAlert() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [room] = useState(() => parseClosedRoom(state));
  const isInHistory = parseClosedRoom(state) !== null;
  useEffect(() => {
    if (!isInHistory) return;
    void navigate(pathname + search, { replace: true, state: null, preventScrollReset: true });
  }, [isInHistory, navigate, pathname, search]);
  if (room === null) return null;
  return (
    <Alert
      tone="info"
      title={room.kind === "failed" ? roomListStrings.notOpened : roomListStrings.locked(room.name)}
    >
      {room.kind === "failed" ? roomListStrings.openAgain : roomListStrings.opensAt(room.minLevel)}
    </Alert>
  );
}
