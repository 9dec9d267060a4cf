import pg from "pg";
import type { HostContext } from "../context.ts";

/** Connections for all that joins and broadcasts ask of the database. */
const CONNECTIONS = 3;
/** No policy and no filter may hold one of them for longer. */
const STATEMENT_MS = 8_000;

/**
 * A few connections for what clients of realtime make it ask, so that they can never take those of
 * sign-in and other requests. The caller ends it.
 */
export function openJoinPool({ db }: HostContext): pg.Pool {
  const pool = new pg.Pool({
    connectionString: db.url,
    max: CONNECTIONS,
    application_name: "host-realtime-joins",
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
    statement_timeout: STATEMENT_MS,
  });
  // A connection lost while idle is replaced by the next question; it must not end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
