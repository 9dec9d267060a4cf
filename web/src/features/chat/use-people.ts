import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { watchPeople, type PeopleChannel } from "./api/watch-people.ts";
import { peopleOf, typingIntervalMs, typingTimeoutMs, type Person } from "./model/people.ts";
import { useProfiles } from "./use-profiles.ts";

export interface People {
  readonly here: readonly Person[];
  /** Number of members here, including those whose names are still loading. */
  readonly count: number;
  /** Names of the members who are typing, in the order they started. */
  readonly typing: readonly string[];
  /** Call on every key press. Broadcasts are throttled. */
  readonly sendTyping: () => void;
  /** A member has sent the message they were typing. */
  readonly stopTyping: (id: string) => void;
  /** Fetches the members in the room again. */
  readonly refresh: () => void;
}

/**
 * Who has the room open and who is typing, from the room's private channel.
 * @param onLeft called when the server no longer counts this account in the room
 * @param onPins called when the pinned messages may have changed
 */
export function usePeople(
  roomId: string,
  ownId: string,
  onLeft: () => void,
  onPins: () => void,
): People {
  const { client } = useBackend();
  const [here, setHere] = useState<readonly string[]>([]);
  const [typing, setTyping] = useState<readonly string[]>([]);
  const profiles = useProfiles(useMemo(() => [...new Set([...here, ...typing])], [here, typing]));
  const channel = useRef<PeopleChannel | null>(null);
  const toldAt = useRef(0);

  const stopTyping = useCallback(
    (id: string) => {
      setTyping((before) => (before.includes(id) ? before.filter((each) => each !== id) : before));
      // The others have removed the name as well, so the next key press is broadcast at once.
      if (id === ownId) toldAt.current = 0;
    },
    [ownId],
  );

  useEffect(() => {
    const typingTimeouts = new Map<string, () => void>();
    const joined = watchPeople(client, roomId, ownId, {
      onPeople: setHere,
      onLeft,
      onPins,
      onTyping: (id) => {
        typingTimeouts.get(id)?.();
        typingTimeouts.set(
          id,
          systemClock.after(typingTimeoutMs, () => stopTyping(id)),
        );
        setTyping((before) => (before.includes(id) ? before : [...before, id]));
      },
    });
    channel.current = joined;
    return () => {
      channel.current = null;
      for (const cancel of typingTimeouts.values()) cancel();
      joined.leave();
    };
  }, [client, roomId, ownId, onLeft, onPins, stopTyping]);

  const sendTyping = useCallback(() => {
    const now = systemClock.now();
    if (now - toldAt.current < typingIntervalMs) return;
    toldAt.current = now;
    channel.current?.sendTyping();
  }, []);

  const refresh = useCallback(() => channel.current?.refresh(), []);

  return {
    here: useMemo(() => peopleOf(here, profiles), [here, profiles]),
    count: here.length,
    typing: typing.flatMap((id) => profiles.get(id)?.name ?? []),
    sendTyping,
    stopTyping,
    refresh,
  };
}
