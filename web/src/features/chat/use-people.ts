import { useCallback, useEffect, useRef, useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { systemClock } from "@/lib/clock.ts";
import { watchPeople, type PeopleChannel } from "./api/watch-people.ts";
import { tellTypingEveryMs, typingLastsMs, type Person } from "./model/people.ts";

export interface People {
  readonly here: readonly Person[];
  /** Names of those who are typing, in the order they began. */
  readonly typing: readonly string[];
  /** To be called on every key; tells the others now and then. */
  readonly tellTyping: () => void;
  /** Somebody has said what they were typing. */
  readonly stopTyping: (personId: string) => void;
}

/** Who has the room open and who is writing, over the room's private channel. */
export function usePeople(roomId: string, self: Person): People {
  const { client } = useBackend();
  const { id, name, role } = self;
  const [here, setHere] = useState<readonly Person[]>([]);
  const [typing, setTyping] = useState<readonly Person[]>([]);
  const channel = useRef<PeopleChannel | null>(null);
  const toldAt = useRef(0);

  const stopTyping = useCallback((personId: string) => {
    setTyping((before) =>
      before.some((each) => each.id === personId)
        ? before.filter((each) => each.id !== personId)
        : before,
    );
  }, []);

  useEffect(() => {
    const endings = new Map<string, () => void>();
    const joined = watchPeople(
      client,
      roomId,
      { id, name, role },
      {
        onPeople: setHere,
        onTyping: (person) => {
          endings.get(person.id)?.();
          endings.set(
            person.id,
            systemClock.after(typingLastsMs, () => stopTyping(person.id)),
          );
          setTyping((before) =>
            before.some((each) => each.id === person.id) ? before : [...before, person],
          );
        },
      },
    );
    channel.current = joined;
    return () => {
      channel.current = null;
      for (const callOff of endings.values()) callOff();
      joined.leave();
    };
  }, [client, roomId, id, name, role, stopTyping]);

  const tellTyping = useCallback(() => {
    const now = systemClock.now();
    if (now - toldAt.current < tellTypingEveryMs) return;
    toldAt.current = now;
    channel.current?.tellTyping();
  }, []);

  return { here, typing: typing.map((person) => person.name), tellTyping, stopTyping };
}
