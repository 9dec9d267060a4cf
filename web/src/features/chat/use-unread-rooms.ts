import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { bellKey } from "@/features/notifications/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { countUnreadRooms } from "./api/count-unread-rooms.ts";

/** A message that is no reply, mention or announcement is told to nobody, so the count is also asked for now and then. */
const refetchIntervalMs = 120_000;

/** Below the bell's key, so that what is told there brings it up to date. */
export const unreadRoomsKey = (userId: string) => [...bellKey(userId), "unread-rooms"];

/** In how many rooms something is unread; 0 until it is known. */
export function useUnreadRooms(): number {
  const { client } = useBackend();
  const userId = useUserId();
  const { data } = useQuery({
    queryKey: unreadRoomsKey(userId),
    queryFn: () => countUnreadRooms(client),
    enabled: userId !== "",
    retry: false,
    refetchInterval: refetchIntervalMs,
    refetchOnWindowFocus: true,
  });
  return data ?? 0;
}

/** Returns a function that counts the unread rooms again. */
export function useRecountUnreadRooms(): () => void {
  const queries = useQueryClient();
  const userId = useUserId();
  return useCallback(() => refetchQueries(queries, unreadRoomsKey(userId)), [queries, userId]);
}
