import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";

// The channel's name is agreed, so one that is still on its way out must be waited for.
const leaving = new WeakMap<BackendClient, Promise<unknown>>();

/**
 * Tells when an administrator lets the account try again after five rejections. The rows that change then are hidden from
 * the account, so the database sends this on the account's own channel. Returns how to stop.
 */
export function watchResets(
  client: BackendClient,
  userId: string,
  onReset: () => void,
): () => void {
  let stop = () => {};
  let stopped = false;
  const join = () => {
    if (stopped) return;
    const channel = client.channel(`identity:${userId}`, { config: { private: true } });
    stop = () => void leaving.set(client, client.removeChannel(channel));
    channel
      .on("broadcast", { event: "attempts_reset" }, () => onReset())
      .subscribe((status) => {
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && !stopped) onReset();
      });
  };
  const former = leaving.get(client);
  if (former) void former.then(join);
  else join();
  return () => {
    stopped = true;
    stop();
  };
}
