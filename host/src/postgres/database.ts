import pg from "pg";
import type { Caller } from "../keys.ts";

/** What can run a statement: a pool or one of its clients. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** The two ways into Postgres: as the owner, and as whoever is calling. */
export interface Database {
  /** Connection string of the owner login. */
  readonly url: string;
  /** Owner of everything; not subject to row-level security. For the host's own work only. */
  readonly admin: pg.Pool;
  /** The authenticator login: may become anon, authenticated or service_role and nothing else. */
  readonly rest: pg.Pool;
  /**
   * Runs `work` in one transaction as the caller: its role, and its claims where auth.uid() reads them.
   * Commits when `work` resolves, rolls back when it throws.
   */
  asCaller: <T>(caller: Caller, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  /** Runs `stop` when the database closes, before its pools do; for connections opened beside them. */
  beforeClose: (stop: () => Promise<void>) => void;
  close: () => Promise<void>;
}

/** Runs `work` in a transaction on a client of `pool`; rolls back when it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((failure: Error) => {
      // A connection that cannot roll back is thrown away rather than handed to the next request.
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

function poolFor(url: string, max: number, name: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: name,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: 10_000,
  });
  // A connection lost while idle is replaced by the next request; it must not end the process.
  pool.on("error", () => undefined);
  // One lost in use fails the query that waits on it; the event itself has nobody else to tell.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Opens the pools. `authenticatorPassword` was set on the role at boot. */
export function openDatabase(url: string, authenticatorPassword: string): Database {
  const restUrl = new URL(url);
  restUrl.username = "authenticator";
  restUrl.password = authenticatorPassword;
  const admin = poolFor(url, 10, "host");
  const rest = poolFor(restUrl.href, 20, "host-rest");
  const stops: (() => Promise<void>)[] = [];
  return {
    url,
    admin,
    rest,
    asCaller: async (caller, work) =>
      await inTransaction(rest, async (client) => {
        await client.query(
          "select set_config('role', $1, true), set_config('request.jwt.claims', $2, true)",
          [caller.role, JSON.stringify(caller.claims)],
        );
        return await work(client);
      }),
    beforeClose: (stop) => stops.push(stop),
    close: async () => {
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([admin.end(), rest.end()]);
    },
  };
}
