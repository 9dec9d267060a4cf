import type pg from "pg";
import type { Caller } from "../keys.ts";
import type { DatabaseLimits } from "../limits/limits.ts";
import { BoundedPool } from "./bounded-pool.ts";
import { CallerTurns } from "./per-user-concurrency.ts";

/** What can run a statement: a pool or one of its clients. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** Where a connection comes from: a pool, or a caller's share of one. */
export interface ConnectionSource {
  /** @throws {DatabaseBusyError} when none was free in time */
  connect: () => Promise<pg.PoolClient>;
}

/**
 * The ways into Postgres. Each has connections of its own, so that a flood on one leaves the others as they were;
 * how many is in `limits/limits.ts`. Every wait for a connection is bounded and ends in {@link DatabaseBusyError}.
 */
export interface Database {
  /** Connection string of the owner login. */
  readonly url: string;
  /** Owner of everything, not subject to row-level security. For start-up and for the wiring only. */
  readonly admin: pg.Pool;
  /** The owner again, for realtime and for work nobody waits for. */
  readonly background: pg.Pool;
  /** The owner again, for short questions the host has while it answers a request: schema cache, buckets, public files. */
  readonly lookups: pg.Pool;
  /** The owner again, for scheduled functions: each holds a connection while it runs, and may wait long for it. */
  readonly jobs: pg.Pool;
  /** The owner again, for what clients of realtime make it ask when they join; its statements end after seconds. */
  readonly joins: pg.Pool;
  /** The authenticator login for realtime's own questions; no request uses these connections. */
  readonly authenticator: pg.Pool;
  /**
   * The authenticator login for a caller: it may become anon, authenticated, service_role or a role of the project
   * and nothing else. Strangers, members and the service key have a pool each; within the members' one, each member has a share.
   */
  poolOf: (caller: Caller) => ConnectionSource;
  /**
   * Runs `work` in one transaction as the caller: its role and statement timeout, and its claims where auth.uid()
   * reads them. Commits when `work` resolves, rolls back when it throws.
   */
  asCaller: <T>(caller: Caller, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  /** Runs `stop` when the database closes, before its pools do; for connections opened beside them. */
  beforeClose: (stop: () => Promise<void>) => void;
  close: () => Promise<void>;
}

/** Runs `work` in a transaction on a client of `pool`; rolls back when it throws. */
export async function inTransaction<T>(
  pool: ConnectionSource,
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

/** No policy and no filter may hold a connection of realtime's joins for longer. */
const joinStatementMs = 8_000;

/** A scheduled function may run for minutes while the next one waits. */
const longestJobWaitMs = 15 * 60_000;

/** `alter role … set statement_timeout` counts at login only, and a request changes its role later. */
const becomeCaller = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('statement_timeout', coalesce(
    (select substr(setting, length('statement_timeout=') + 1) from pg_roles, unnest(rolconfig) setting
      where rolname = $1 and setting like 'statement\\_timeout=%'),
    current_setting('statement_timeout')), true)`;

/** A member's share of a pool. */
function shareOf(pool: pg.Pool, turns: CallerTurns, key: string): ConnectionSource {
  return {
    connect: async () => {
      const endTurn = await turns.take(key);
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        endTurn();
        throw error;
      }
      const release = client.release.bind(client);
      client.release = (broken) => {
        release(broken);
        endTurn();
      };
      return client;
    },
  };
}

/** Opens the pools. `authenticatorPassword` was set on the role at boot. */
export function openDatabase(
  url: string,
  authenticatorPassword: string,
  limits: DatabaseLimits,
): Database {
  const callerUrl = new URL(url);
  callerUrl.username = "authenticator";
  callerUrl.password = authenticatorPassword;
  const pools: BoundedPool[] = [];
  const open = (
    login: string,
    name: Exclude<keyof DatabaseLimits["connections"], "auth">,
    more = {},
  ) => {
    const pool = new BoundedPool(login, {
      name: `host-${name}`,
      connections: limits.connections[name],
      waiting: limits.waiting,
      longestWaitMs: limits.longestWaitMs,
      ...more,
    });
    pools.push(pool);
    return pool;
  };
  const admin = open(url, "admin");
  const background = open(url, "background");
  const lookups = open(url, "lookups");
  const jobs = open(url, "jobs", { longestWaitMs: longestJobWaitMs });
  const joins = open(url, "joins", { statementTimeoutMs: joinStatementMs });
  const authenticator = open(callerUrl.href, "authenticator");
  const strangers = open(callerUrl.href, "strangers");
  const members = open(callerUrl.href, "members");
  const service = open(callerUrl.href, "service");
  const turns = new CallerTurns({ ...limits, connections: limits.connections.members });
  const poolOf = (caller: Caller) => {
    if (caller.role === "anon") return strangers;
    if (caller.role === "service_role") return service;
    return shareOf(members, turns, caller.userId ?? `role ${caller.role}`);
  };
  const stops: (() => Promise<void>)[] = [];
  return {
    url,
    admin,
    background,
    lookups,
    jobs,
    joins,
    authenticator,
    poolOf,
    asCaller: async (caller, work) =>
      await inTransaction(poolOf(caller), async (client) => {
        await client.query(becomeCaller, [caller.role, JSON.stringify(caller.claims)]);
        return await work(client);
      }),
    beforeClose: (stop) => stops.push(stop),
    close: async () => {
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
