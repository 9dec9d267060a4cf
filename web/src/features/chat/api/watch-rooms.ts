import type { BackendClient } from "@/lib/backend-client.ts";

/* The channel's name is agreed, so one that is still on its way out must be waited for. */
const leaving = new WeakMap<BackendClient, Promise<unknown>>();

/** Listens for rooms that were created, edited or closed; returns how to stop. */
export function watchRooms(client: BackendClient, onChanged: () => void): () => void {
  let stopped = false;
  let close = () => {};

  function join(): void {
    if (stopped) return;
    const channel = client.channel("rooms", { config: { private: true } });
    close = () => leaving.set(client, client.removeChannel(channel));
    channel.on("broadcast", { event: "changed" }, onChanged).subscribe();
  }

  const former = leaving.get(client);
  if (former) void former.then(join);
  else join();
  return () => {
    stopped = true;
    close();
  };
}
