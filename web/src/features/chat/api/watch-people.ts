import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";
import {
  applyPeopleChange,
  idsFrom,
  peopleChangeFrom,
  typingIdFrom,
  type PeopleChange,
} from "../model/people.ts";

export interface PeopleWatcher {
  readonly onPeople: (ids: readonly string[]) => void;
  readonly onTyping: (id: string) => void;
  /** The server no longer counts this account in the room: another window has left it. */
  readonly onLeft: () => void;
  /** The pinned messages may have changed. */
  readonly onPins: () => void;
}

/** The room's private channel: who is here and who is typing. */
export interface PeopleChannel {
  readonly sendTyping: () => void;
  /** Fetches the members in the room again. */
  readonly refresh: () => void;
  readonly leave: () => void;
}

// The channel's name is agreed, so one that is still on its way out must be waited for.
const leaving = new WeakMap<BackendClient, Map<string, Promise<unknown>>>();

async function readPeople(client: BackendClient, roomId: string): Promise<unknown> {
  const { data, error } = await client.rpc("room_participants", { room_id: roomId });
  if (error) throw error;
  return data;
}

async function tellTyping(client: BackendClient, roomId: string): Promise<void> {
  const { error } = await client.rpc("notify_typing", { room_id: roomId });
  if (error) throw error;
}

/**
 * Listens to the private channel of a room. The database sends every event on it, so a member
 * cannot appear or type as another member.
 */
export function watchPeople(
  client: BackendClient,
  roomId: string,
  ownId: string,
  watcher: PeopleWatcher,
): PeopleChannel {
  const topic = `room:${roomId}`;
  const departures = leaving.get(client) ?? new Map<string, Promise<unknown>>();
  leaving.set(client, departures);
  let gone = false;
  let isJoined = false;
  let here: ReadonlySet<string> = new Set();
  // Changes that arrive while the list is being read; null when it is not.
  let held: PeopleChange[] | null = null;
  let close = () => {};

  function show(ids: ReadonlySet<string>): void {
    here = ids;
    watcher.onPeople([...ids]);
  }

  function read(): void {
    if (!isJoined) return;
    const changes: PeopleChange[] = [];
    held = changes;
    readPeople(client, roomId).then(
      (list) => {
        if (held !== changes) return;
        held = null;
        show(changes.reduce(applyPeopleChange, new Set(idsFrom(list))));
      },
      (error: unknown) => {
        console.error("Who is in the room could not be read", error);
        if (held !== changes) return;
        held = null;
        show(changes.reduce(applyPeopleChange, here));
      },
    );
  }

  function change(one: PeopleChange): void {
    if (one.left.includes(ownId)) watcher.onLeft();
    if (held) held.push(one);
    else show(applyPeopleChange(here, one));
  }

  function join(): void {
    if (gone) return;
    const channel = client.channel(topic, { config: { private: true } });
    close = () => {
      departures.set(topic, client.removeChannel(channel));
    };
    channel
      .on("broadcast", { event: "participants" }, ({ payload }) =>
        change(peopleChangeFrom(payload)),
      )
      .on("broadcast", { event: "typing" }, ({ payload }) => {
        const id = typingIdFrom(payload);
        if (id !== null && id !== ownId) watcher.onTyping(id);
      })
      .on("broadcast", { event: "pins" }, () => watcher.onPins())
      .subscribe((status) => {
        if (gone) return;
        isJoined = status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED;
        held = null;
        if (isJoined) {
          read();
          watcher.onPins();
        } else show(new Set());
      });
  }

  const former = departures.get(topic);
  if (former) void former.then(join);
  else join();

  return {
    sendTyping: () => {
      if (!isJoined) return;
      tellTyping(client, roomId).catch(() => {
        // The next key tells it again.
      });
    },
    refresh: read,
    leave: () => {
      gone = true;
      isJoined = false;
      held = null;
      close();
    },
  };
}
