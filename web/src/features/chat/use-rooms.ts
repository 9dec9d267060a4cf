import { useQuery } from "@tanstack/react-query";
import { useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isMockClientFault } from "@/lib/errors.ts";
import { selectRoom } from "./api/select-room.ts";
import { selectRooms } from "./api/select-rooms.ts";

const refetchIntervalMs = 20_000;

/** Every room with what is new in it. Read again while the list is on the screen. */
export function useRooms() {
  const { client } = useBackend();
  const { user } = useSession();
  return useQuery({
    queryKey: ["chat-rooms", user?.id ?? ""],
    queryFn: () =>
      selectRooms(client).catch((error: unknown) => {
        /* Without a backend there are no rooms; that is no fault of theirs. */
        if (isMockClientFault(error)) return [];
        throw error;
      }),
    enabled: user !== null,
    retry: 2,
    retryDelay: 1000,
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
    refetchOnWindowFocus: true,
  });
}

/** One room; `data` is null when there is none of this name. */
export function useRoom(roomId: string) {
  const { client } = useBackend();
  const { user } = useSession();
  return useQuery({
    queryKey: ["chat-room", roomId, user?.id ?? ""],
    queryFn: () =>
      selectRoom(client, roomId).catch((error: unknown) => {
        if (isMockClientFault(error)) return null;
        throw error;
      }),
    enabled: user !== null,
    staleTime: 0,
    refetchInterval: refetchIntervalMs,
  });
}
