import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { isMockClientError } from "@/lib/errors.ts";
import { downloadMessagePicture } from "@/lib/message-picture.ts";
import { fetchReactors } from "./api/fetch-reactors.ts";
import { fetchRoom } from "./api/fetch-room.ts";
import { fetchRooms } from "./api/fetch-rooms.ts";
import { fetchPins } from "./api/pins.ts";
import { searchMessages, searchPageSize } from "./api/search-messages.ts";
import type { ChatMessage, MessageCursor } from "./model/message.ts";

const roomsRefetchIntervalMs = 20_000;
/** Pause in typing before messages are searched. */
const searchDebounceMs = 250;
const minSearchLength = 2;
/** How long a picture stays in memory once it is off the screen. */
const pictureCacheMs = 300_000;

export const chatKeys = {
  rooms: (userId: string) => ["chat-rooms", userId],
  /** Without a user id, the key of the room for every user. */
  room: (roomId: string, ...userId: readonly string[]) => ["chat-room", roomId, ...userId],
  pins: (roomId: string) => ["chat-pins", roomId],
  reactors: ({ id, changedAtRaw }: Pick<ChatMessage, "id" | "changedAtRaw">) => [
    "chat-reactors",
    id,
    changedAtRaw,
  ],
  search: (roomId: string | null, words: string) => ["chat-search", roomId, words],
  picture: (name: string) => ["message-picture", name],
} as const;

/** All rooms with their unread counts, refetched while the list is on the screen. */
export function useRooms() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: chatKeys.rooms(userId),
    queryFn: () =>
      fetchRooms(client).catch((error: unknown) => {
        // Without a configured backend there are no rooms, which is not an error.
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

/** The pinned messages of a room, newest pin first. */
export function usePins(roomId: string) {
  const { client } = useBackend();
  return useQuery({
    queryKey: chatKeys.pins(roomId),
    queryFn: () => fetchPins(client, roomId),
    staleTime: 0,
    retry: 2,
  });
}

/** Returns a function that fetches the pins of a room again. */
export function useInvalidatePins(roomId: string): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: chatKeys.pins(roomId) });
  }, [queries, roomId]);
}

/** Who liked a message or reacted to it, read again when the message has changed. */
export function useReactors(message: Pick<ChatMessage, "id" | "changedAtRaw">) {
  const { client } = useBackend();
  return useQuery({
    queryKey: chatKeys.reactors(message),
    queryFn: () => fetchReactors(client, message.id),
    staleTime: 10_000,
    gcTime: 60_000,
  });
}

/** Messages with all the typed words, newest first: of one room, or of all with a null room. */
export function useMessageSearch(typed: string, roomId: string | null) {
  const { client } = useBackend();
  const wanted = typed.trim().replaceAll(/\s+/gu, " ");
  const [asked, setAsked] = useState("");
  useEffect(() => systemClock.after(searchDebounceMs, () => setAsked(wanted)), [wanted]);
  const enabled = asked.length >= minSearchLength && wanted.length >= minSearchLength;
  const query = useInfiniteQuery({
    queryKey: chatKeys.search(roomId, asked),
    queryFn: ({ pageParam }) => searchMessages(client, { query: asked, roomId, before: pageParam }),
    initialPageParam: null as MessageCursor | null,
    getNextPageParam: (page) => (page.length < searchPageSize ? undefined : page.at(-1)),
    enabled,
    gcTime: 60_000,
    retry: false,
  });
  return {
    ...query,
    /** Too short to be looked for. */
    idle: !enabled,
    failed: enabled && query.isError && !query.data,
  };
}

/** The picture of a message, read with the member's rights. Nothing is read where the file is at hand. */
export function useMessagePicture(
  { name, file = null }: { readonly name: string | null; readonly file?: File | null },
  enabled = true,
) {
  const { client } = useBackend();
  return useQuery({
    queryKey: chatKeys.picture(name ?? ""),
    queryFn: ({ signal }) => downloadMessagePicture(client, name ?? "", signal),
    enabled: enabled && name !== null && file === null,
    staleTime: Infinity,
    gcTime: pictureCacheMs,
    retry: 1,
  });
}
