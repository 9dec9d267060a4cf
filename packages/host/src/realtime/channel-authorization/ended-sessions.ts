// LISTEN connection through which realtime learns of ended sessions and bans, so that it can close their channels.

import pg from "pg";
import type { HostContext } from "../../context.ts";

const channel = "host_ended_sessions";
const reconnectMs = 5_000;

/** An ended session, or an account all of whose sessions ended. */
export type EndedSession = { sessionId: string } | { account: string };

/**
 * Listens to notifications about ended sessions and banned accounts, from any host.
 * @param onEnded called for each notification
 * @param onMissed called when notifications may have been missed and every session has to be checked again
 */
export function listenForEndedSessions(
  { db, log }: HostContext,
  onEnded: (ended: EndedSession) => void,
  onMissed: () => void,
): { stop: () => Promise<void> } {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const connect = () => {
    const current = new pg.Client({
      connectionString: db.url,
      application_name: "host-realtime-sessions",
    });
    client = current;
    const reconnectLater = () => {
      if (isStopped || client !== current) return;
      client = undefined;
      timer = setTimeout(() => {
        connect();
        onMissed();
      }, reconnectMs);
      timer.unref();
    };
    current.on("error", reconnectLater);
    current.on("end", reconnectLater);
    current.on("notification", ({ payload = "" }) => {
      const [kind, id = ""] = payload.split(" ");
      onEnded(kind === "session" ? { sessionId: id } : { account: id });
    });
    current
      .connect()
      .then(async () => await current.query(`listen ${channel}`))
      .catch((error: unknown) => {
        if (!isStopped)
          log.warn({ err: error }, "notifications about ended sessions cannot be received");
        reconnectLater();
      });
  };
  connect();
  const stop = async () => {
    isStopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
  db.beforeClose(stop);
  return { stop };
}
