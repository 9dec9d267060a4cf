import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isMockClientError } from "@/lib/errors.ts";
import { fetchReports } from "./api/fetch-reports.ts";
import { fetchRoom } from "./api/fetch-room.ts";
import { fetchRooms } from "./api/fetch-rooms.ts";

const roomsRefetchIntervalMs = 20_000;
const reportsRefetchIntervalMs = 60_000;

export const chatKeys = {
  rooms: (userId: string) => ["chat-rooms", userId],
  /** Without a user id, the key of the room for every user. */
  room: (roomId: string, ...userId: readonly string[]) => ["chat-room", roomId, ...userId],
  mentionable: (roomId: string, typed: string) => ["chat-mentionable", roomId, typed],
  reports: ["moderation-queue"],
} as const;

/** All rooms with their unread counts, refetched while the list is on the screen. */
export function useRooms() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: chatKeys.rooms(userId),
    queryFn: () =>
      fetchRooms(client).catch((error: unknown) => {
        /* Without a configured backend there are no rooms, which is not an error. */
        if (isMockClientError(error)) return [];
        throw error;
      }),
    enabled: userId !== "",
    retry: 2,
    staleTime: 0,
    refetchInterval: roomsRefetchIntervalMs,
    refetchOnWindowFocus: true,
  });
}

/** One room; `data` is null when there is no such room. */
export function useRoom(roomId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: chatKeys.room(roomId, userId),
    queryFn: () =>
      fetchRoom(client, roomId).catch((error: unknown) => {
        if (isMockClientError(error)) return null;
        throw error;
      }),
    enabled: userId !== "",
    staleTime: 0,
    refetchInterval: roomsRefetchIntervalMs,
  });
}

/** Returns a function that fetches the room again, with its participant count. */
export function useInvalidateRoom(roomId: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: chatKeys.room(roomId) });
  }, [queries, roomId]);
}

/** Reported messages that wait for a moderator. Administrators only. */
export function useReports() {
  const { client } = useBackend();
  return useQuery({
    queryKey: chatKeys.reports,
    queryFn: () => fetchReports(client),
    refetchInterval: reportsRefetchIntervalMs,
    retry: 2,
  });
}
