import { useQuery } from "@tanstack/react-query";
import { useSession, useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isMockClientError } from "@/lib/errors.ts";
import { selectRoom } from "./api/select-room.ts";
import { selectRooms } from "./api/select-rooms.ts";

const refetchIntervalMs = 20_000;

/** Every room with what is new in it. Read again while the list is on the screen. */
export function useRooms() {
  const { client } = useBackend();
  const { user } = useSession();
  const userId = useUserId();
  return useQuery({
    queryKey: ["chat-rooms", userId],
    queryFn: () =>
      selectRooms(client).catch((error: unknown) => {
        /* Without a backend there are no rooms; that is no fault of theirs. */
        if (isMockClientError(error)) return [];
        throw error;
      }),
    enabled: user !== null,
    retry: 2,
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
    refetchOnWindowFocus: true,
  });
}

/** One room; `data` is null when there is none of this name. */
export function useRoom(roomId: string) {
  const { client } = useBackend();
  const { user } = useSession();
  const userId = useUserId();
  return useQuery({
    queryKey: ["chat-room", roomId, userId],
    queryFn: () =>
      selectRoom(client, roomId).catch((error: unknown) => {
        if (isMockClientError(error)) return null;
        throw error;
      }),
    enabled: user !== null,
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
  });
}
