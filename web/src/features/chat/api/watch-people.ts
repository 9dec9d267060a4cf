import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";
import { idFrom, idsFrom } from "../model/people.ts";

export interface PeopleWatcher {
  readonly onPeople: (ids: readonly string[]) => void;
  readonly onTyping: (id: string) => void;
}

/** The room's private channel: who is here and who is typing. */
export interface PeopleChannel {
  readonly tellTyping: () => void;
  readonly leave: () => void;
}

/* The channel's name is agreed, so one that is still on its way out must be waited for. */
const leaving = new WeakMap<BackendClient, Map<string, Promise<unknown>>>();

/** Joins the private channel of a room as this account; the database decides who may. */
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
  let say = () => {};
  let close = () => {};

  function join(): void {
    if (gone) return;
    const channel = client.channel(topic, {
      config: { private: true, presence: { key: ownId }, broadcast: { self: false } },
    });
    close = () => {
      departures.set(topic, client.removeChannel(channel));
    };
    channel
      .on("presence", { event: "sync" }, () => {
        watcher.onPeople(idsFrom(channel.presenceState()));
      })
      .on("broadcast", { event: "typing" }, ({ payload }) => {
        const id = idFrom(payload);
        if (id !== null && id !== ownId) watcher.onTyping(id);
      })
      .subscribe((status) => {
        if (gone) return;
        const joined = status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED;
        if (joined) void channel.track({ id: ownId });
        else watcher.onPeople([]);
        say = joined
          ? () => void channel.send({ type: "broadcast", event: "typing", payload: { id: ownId } })
          : () => {};
      });
  }

  const former = departures.get(topic);
  if (former) void former.then(join);
  else join();

  return {
    tellTyping: () => say(),
    leave: () => {
      gone = true;
      close();
    },
  };
}
