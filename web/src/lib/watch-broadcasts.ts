import type { BackendClient } from "./backend-client.ts";

type Listener = (event: string, payload: unknown) => void;

interface SharedChannel {
  readonly listeners: Set<Listener>;
  readonly close: () => Promise<unknown>;
}

// A client has one channel of a name at a time. One that is on its way out must be waited for.
const channels = new WeakMap<BackendClient, Map<string, SharedChannel>>();
const leaving = new WeakMap<BackendClient, Map<string, Promise<unknown>>>();

function open(client: BackendClient, topic: string): SharedChannel {
  const listeners = new Set<Listener>();
  const channel = client.channel(topic, { config: { private: true } });
  channel
    .on("broadcast", { event: "*" }, ({ event, payload }) => {
      for (const listener of listeners) listener(event, payload);
    })
    .subscribe();
  return { listeners, close: () => client.removeChannel(channel) };
}

/** Listens to what the database sends on a private channel, which all listeners share; returns how to stop. */
export function watchBroadcasts(
  client: BackendClient,
  topic: string,
  listener: Listener,
): () => void {
  let stopped = false;
  let stop = () => {};

  function join(): void {
    if (stopped) return;
    const ofClient = channels.get(client) ?? new Map<string, SharedChannel>();
    channels.set(client, ofClient);
    const shared = ofClient.get(topic) ?? open(client, topic);
    ofClient.set(topic, shared);
    shared.listeners.add(listener);
    stop = () => {
      shared.listeners.delete(listener);
      if (shared.listeners.size > 0) return;
      ofClient.delete(topic);
      const left = leaving.get(client) ?? new Map<string, Promise<unknown>>();
      left.set(topic, shared.close());
      leaving.set(client, left);
    };
  }

  const former = channels.get(client)?.has(topic) ? undefined : leaving.get(client)?.get(topic);
  if (former) void former.then(join);
  else join();
  return () => {
    stopped = true;
    stop();
  };
}
