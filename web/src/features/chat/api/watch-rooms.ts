import type { BackendClient } from "@/lib/backend-client.ts";
import { watchBroadcasts } from "@/lib/watch-broadcasts.ts";

/** Listens for rooms that were created, edited or closed; returns how to stop. */
export function watchRooms(client: BackendClient, onChanged: () => void): () => void {
  return watchBroadcasts(client, "rooms", (event) => {
    if (event === "changed") onChanged();
  });
}
