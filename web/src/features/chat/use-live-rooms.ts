import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { watchRooms } from "./api/watch-rooms.ts";

/** Reads the rooms again when an administrator creates, edits or closes one. */
export function useLiveRooms(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  useEffect(
    () =>
      watchRooms(client, () => {
        refetchQueries(queries, ["chat-rooms"]);
        refetchQueries(queries, ["chat-room"]);
      }),
    [client, queries],
  );
}
