import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";
import { peopleFrom, personFrom, type Person } from "../model/people.ts";

export interface PeopleWatcher {
  readonly onPeople: (people: readonly Person[]) => void;
  readonly onTyping: (person: Person) => void;
}

/** The room's private channel: who is here and who is typing. */
export interface PeopleChannel {
  readonly tellTyping: () => void;
  readonly leave: () => void;
}

/* The channel's name is agreed, so one that is still on its way out must be waited for. */
const leaving = new WeakMap<BackendClient, Map<string, Promise<unknown>>>();

/** Joins the private channel of a room as this person; the database decides who may. */
export function watchPeople(
  client: BackendClient,
  roomId: string,
  self: Person,
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
      config: { private: true, presence: { key: self.id }, broadcast: { self: false } },
    });
    close = () => {
      departures.set(topic, client.removeChannel(channel));
    };
    channel
      .on("presence", { event: "sync" }, () => {
        watcher.onPeople(peopleFrom(channel.presenceState()));
      })
      .on("broadcast", { event: "typing" }, ({ payload }) => {
        const person = personFrom(payload);
        if (person && person.id !== self.id) watcher.onTyping(person);
      })
      .subscribe((status) => {
        if (gone) return;
        const joined = status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED;
        if (joined) void channel.track({ ...self });
        else watcher.onPeople([]);
        say = joined
          ? () => void channel.send({ type: "broadcast", event: "typing", payload: { ...self } })
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
