// Notices when PostgreSQL is gone and waits for it, or reports it as lost so that the process can be restarted.

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/** PostgreSQL repairs itself after a backend was killed. A longer repair is waited for by a new process. */
const recoveryMs = 15_000;
const pollMs = 200;

/** What a watched server is, and how the watch reaches it again. */
export interface WatchedServer {
  /** Connects anew, with what the first connection held; throws while that is not possible. */
  reconnect: () => Promise<pg.Client>;
  /** For a server of this host: false once its process has ended. */
  isRunning?: () => Promise<boolean>;
}

/** A watch over the database server. */
export interface ServerWatch {
  /** Why the database does not answer now; undefined while it does. */
  outage: () => string | undefined;
  /** Resolves with the reason when a server of this host has ended, so that everything has to be started anew. */
  lost: Promise<string>;
  /** Ends the watch and its connection. */
  stop: () => Promise<void>;
}

/**
 * Watches the server by a connection that stays open: it ends at once when PostgreSQL does. The server of `DATABASE_URL` is waited
 * for without end, as its operator starts it; one of this host for 15 s, and not at all once its process has ended.
 */
export function watchServer(first: pg.Client, server: WatchedServer): ServerWatch {
  const lost = Promise.withResolvers<string>();
  let client = first;
  let outage: string | undefined;
  const stopping = new AbortController();

  const recover = async () => {
    outage = "PostgreSQL has ended its connections and does not answer yet";
    const deadline = performance.now() + recoveryMs;
    while (!stopping.signal.aborted) {
      try {
        const next = await server.reconnect();
        follow(next);
        outage = undefined;
        return;
      } catch (error) {
        const isGone = server.isRunning !== undefined && !(await server.isRunning());
        if (isGone || (server.isRunning && performance.now() > deadline)) {
          outage = isGone
            ? "PostgreSQL has ended"
            : `PostgreSQL does not recover: ${String(error)}`;
          lost.resolve(outage);
          return;
        }
      }
      await sleep(pollMs, undefined, { ref: false });
    }
  };
  const follow = (next: pg.Client) => {
    client = next;
    // The event that follows an error says enough.
    client.on("error", () => undefined);
    client.once("end", () => {
      if (!stopping.signal.aborted) void recover();
    });
    if (stopping.signal.aborted) void client.end().catch(() => undefined);
  };
  follow(first);
  return {
    outage: () => outage,
    lost: lost.promise,
    stop: async () => {
      stopping.abort();
      await client.end().catch(() => undefined);
    },
  };
}
