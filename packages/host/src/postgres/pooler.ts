// Recognises connection pools between the host and its PostgreSQL, and what they keep from one transaction to the next.

import pg from "pg";
import { BootError } from "../boot-error.ts";
import { connectOwner } from "./bootstrap.ts";
import type { Queryable } from "./database.ts";
import { sqlStates } from "./sql-states.ts";

/** How long the second connection of a pool is waited for. */
const longestProbeMs = 3000;

/**
 * Whether a pool stands between a client and the server. A connection is told at its start the number of the process that
 * serves it, by which it cancels; a pool tells a number of its own, because another process may serve the next transaction.
 * Comparing the process of two statements would miss a pool that happens to give the same one twice.
 */
export async function isThroughPool(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const { processID } = client as unknown as { processID: number | null };
  return rows[0]?.pid !== processID;
}

/**
 * Refuses a pool where the server itself is needed.
 * @param hasPool whether DATABASE_DIRECT_URL named the address
 * @throws {BootError}
 */
export async function assertNoPool(client: pg.Client, hasPool: boolean): Promise<void> {
  if (!(await isThroughPool(client))) return;
  const reason =
    "a pool in transaction mode, such as PgBouncer, keeps no LISTEN, no session lock and no replication";
  throw new BootError(
    hasPool
      ? `DATABASE_DIRECT_URL leads through a connection pool: ${reason}. Name the address of PostgreSQL itself.`
      : `DATABASE_URL leads through a connection pool: ${reason}. ` +
          "Name the address of PostgreSQL itself in DATABASE_DIRECT_URL beside it.",
  );
}

const clusterSql = `select (select system_identifier::text from pg_control_system()) || '/' || current_database() as cluster`;

async function clusterOf(client: Queryable): Promise<string | undefined> {
  const { rows } = await client.query<{ cluster: string }>(clusterSql);
  return rows[0]?.cluster;
}

/**
 * Whether a statement prepared by name is still known when another process of the server runs the next transaction. Undefined
 * when the pool did not show it, such as one that has a single connection.
 */
async function keepsNames(url: string, client: pg.Client): Promise<boolean | undefined> {
  const named = { name: "host-pool-probe", text: "select pg_backend_pid() as pid" };
  const pidOf = async () => (await client.query<{ pid: number }>(named)).rows[0]?.pid;
  const other = await connectOwner(url);
  try {
    const before = await pidOf();
    // Takes the connection of the server that the first client has just given back, so that it gets another one.
    await other.query("begin");
    await other.query("select pg_backend_pid()");
    return (await pidOf()) === before ? undefined : true;
  } catch (error) {
    return error instanceof pg.DatabaseError && error.code === sqlStates.undefinedStatement
      ? false
      : undefined;
  } finally {
    await other.end().catch(() => undefined);
  }
}

/**
 * Checks the pool of DATABASE_URL against the server of DATABASE_DIRECT_URL.
 * @param asksForNames whether DATABASE_POOL_STATEMENTS says that it keeps prepared statements
 * @returns whether statements may be prepared by name
 * @throws {BootError} when it leads elsewhere, or does not keep what it should
 */
export async function checkPool(
  url: string,
  server: Queryable,
  asksForNames: boolean,
): Promise<boolean> {
  const client = await connectOwner(url, { query_timeout: longestProbeMs });
  try {
    if ((await clusterOf(client)) !== (await clusterOf(server))) {
      throw new BootError(
        "DATABASE_URL and DATABASE_DIRECT_URL lead to two databases; both must lead to the same one.",
      );
    }
    if (!(await isThroughPool(client))) return true;
    if (asksForNames && (await keepsNames(url, client)) === false) {
      throw new BootError(
        "DATABASE_POOL_STATEMENTS is 1, and the pool of DATABASE_URL forgets prepared statements: " +
          "it takes PgBouncer 1.21 or newer with max_prepared_statements above 0. Remove the setting, or set the pool so.",
      );
    }
    return asksForNames;
  } finally {
    await client.end().catch(() => undefined);
  }
}
