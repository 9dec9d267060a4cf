// Opens a connection pool for each use, and runs transactions as the caller's role with its JWT claims.

import type pg from "pg";
import type { Logger } from "pino";
import type { Caller } from "../keys.ts";
import type { DatabaseLimits } from "../limits/limits.ts";
import { withSpan } from "../tracing/with-span.ts";
import type { ConnectionSource, Queryable } from "./connection-source.ts";
import { BoundedPool } from "./bounded-pool.ts";
import { PerUserConcurrency } from "./per-user-concurrency.ts";
import { connectReplica, ReplicaWatch } from "./replica-watch.ts";
import { Replica } from "./replica.ts";

export type { ConnectionSource, Queryable };

/**
 * The connection pools. They are separate, so that a flood on one does not affect the others; their sizes are in
 * `limits/limits.ts`. Every wait for a connection is bounded and ends with {@link DatabaseBusyError}.
 */
export interface Database {
  /** Connection string of the owner login, to the server itself: what keeps a session, such as LISTEN, needs it. */
  readonly url: string;
  /** The owner login, which bypasses row-level security. For start-up and wiring only. */
  readonly admin: pg.Pool;
  /** The owner login, for realtime and background work. */
  readonly background: pg.Pool;
  /** The owner login, for short queries while a request is served: schema cache, buckets, public files. */
  readonly lookups: pg.Pool;
  /** The owner login, for scheduled functions: each holds a connection while it runs, and may wait long for one. */
  readonly jobs: pg.Pool;
  /** The owner login, for the queries of realtime joins; its statements time out after seconds. */
  readonly joins: pg.Pool;
  /** The authenticator login, for realtime's own queries; requests never use these connections. */
  readonly authenticator: pg.Pool;
  /**
   * The authenticator login for a caller: it can switch only to anon, authenticated, service_role or a role of the
   * project. Anonymous callers, signed-in users and the service key have a pool each; connections per user are limited.
   */
  poolOf: (caller: Caller) => ConnectionSource;
  /**
   * Runs `work` in one transaction as the caller: its role and statement timeout, and its claims where auth.uid()
   * reads them. Commits when `work` resolves, rolls back when it throws.
   */
  asCaller: <T>(caller: Caller, work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  /** The read replica; undefined where there is none. */
  readonly replica: Replica | undefined;
  /** All pools by their names, for monitoring. */
  readonly pools: ReadonlyMap<string, pg.Pool>;
  /** Runs `stop` before the pools close; for connections that are not part of a pool. */
  beforeClose: (stop: () => Promise<void>) => void;
  close: () => Promise<void>;
}

/** Runs `work` in a transaction on a client of `pool`; rolls back when it throws. */
export async function inTransaction<T>(
  pool: ConnectionSource,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return await withSpan("postgres transaction", {}, async (span) => {
    const client = await pool.connect();
    span.addEvent("connected");
    let broken: Error | undefined;
    try {
      await client.query("begin");
      const result = await work(client);
      await client.query("commit");
      return result;
    } catch (error) {
      await client.query("rollback").catch((failure: Error) => {
        // A connection that cannot roll back is destroyed instead of returned to the pool.
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  });
}

/** A replica without a free connection is not waited for: the primary answers. */
const longestReplicaWaitMs = 1000;

/** Statement timeout of the pool for realtime joins. */
const joinStatementMs = 8_000;

/** A scheduled function may wait for minutes while another one runs. */
const longestJobWaitMs = 15 * 60_000;

/** Postgres applies `alter role … set statement_timeout` at login only; requests change role later. */
const becomeCaller = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true),
  set_config('statement_timeout', coalesce(
    (select substr(setting, length('statement_timeout=') + 1) from pg_roles, unnest(rolconfig) setting
      where rolname = $1 and setting like 'statement\\_timeout=%'),
    current_setting('statement_timeout')), true)`;

/** A pool whose connections are limited per user. */
function limitPerUser(
  pool: pg.Pool,
  concurrency: PerUserConcurrency,
  key: string,
): ConnectionSource {
  return {
    connect: async () => {
      const releaseSlot = await concurrency.acquire(key);
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        releaseSlot();
        throw error;
      }
      const release = client.release.bind(client);
      client.release = (broken) => {
        release(broken);
        releaseSlot();
      };
      return client;
    },
  };
}

/** The addresses of one database; each with the owner login. */
export interface DatabaseAddresses {
  /** The server itself. */
  readonly url: string;
  /** Where the requests go: a pool in transaction mode, or the server itself. */
  readonly requestUrl: string;
  /** Whether connections by `requestUrl` keep prepared statements. */
  readonly keepsStatements: boolean;
  readonly replicaUrl: string | undefined;
}

function asAuthenticator(url: string, password: string): string {
  const own = new URL(url);
  own.username = "authenticator";
  own.password = password;
  return own.href;
}

/**
 * Opens the pools. The password of the role authenticator was set at boot. Requests go through `requestUrl`; the host's own work
 * goes to the server itself, because it keeps session locks and has statements prepared.
 */
export function openDatabase(
  { url, requestUrl, keepsStatements, replicaUrl }: DatabaseAddresses,
  authenticatorPassword: string,
  limits: DatabaseLimits,
  log?: Pick<Logger, "warn" | "info">,
): Database {
  const callerUrl = asAuthenticator(requestUrl, authenticatorPassword);
  const pools = new Map<string, BoundedPool>();
  const open = (
    login: string,
    name: Exclude<keyof DatabaseLimits["connections"], "auth">,
    more = {},
  ) => {
    const pool = new BoundedPool(login, {
      name: `host-${name}`,
      connections: limits.connections[name],
      waiting: limits.maxQueued,
      longestWaitMs: limits.maxWaitMs,
      ...more,
    });
    pools.set(name, pool);
    return pool;
  };
  const admin = open(url, "admin");
  const background = open(url, "background");
  const lookups = open(requestUrl, "lookups", { keepsStatements });
  const jobs = open(url, "jobs", { longestWaitMs: longestJobWaitMs });
  const joins = open(url, "joins", { statementTimeoutMs: joinStatementMs });
  const authenticator = open(asAuthenticator(url, authenticatorPassword), "authenticator");
  const anonymous = open(callerUrl, "anonymous", { keepsStatements });
  const members = open(callerUrl, "members", { keepsStatements });
  const service = open(callerUrl, "service", { keepsStatements });
  const concurrency = new PerUserConcurrency({
    ...limits,
    connections: limits.connections.members,
  });
  const poolOf = (caller: Caller) => {
    if (caller.role === "anon") return anonymous;
    if (caller.role === "service_role") return service;
    return limitPerUser(members, concurrency, caller.userId ?? `role ${caller.role}`);
  };
  const replica =
    replicaUrl === undefined
      ? undefined
      : openReplica(asAuthenticator(replicaUrl, authenticatorPassword));
  function openReplica(address: string): Replica {
    const pool = new BoundedPool(address, {
      name: "host-replica",
      connections: limits.replicaConnections,
      waiting: limits.maxQueued,
      longestWaitMs: longestReplicaWaitMs,
    });
    pools.set("replica", pool);
    const shared = new PerUserConcurrency({ ...limits, connections: limits.replicaConnections });
    return new Replica({
      watch: new ReplicaWatch({
        connect: async () => await connectReplica(address),
        primary: lookups,
        log,
      }),
      pool,
      sourceOf: (member) => limitPerUser(pool, shared, member),
    });
  }
  const stops: (() => Promise<void>)[] = [];
  return {
    url,
    replica,
    admin,
    background,
    lookups,
    jobs,
    joins,
    authenticator,
    pools,
    poolOf,
    asCaller: async (caller, work) =>
      await inTransaction(poolOf(caller), async (client) => {
        await client.query(becomeCaller, [caller.role, JSON.stringify(caller.claims)]);
        return await work(client);
      }),
    beforeClose: (stop) => stops.push(stop),
    close: async () => {
      replica?.stop();
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all(Array.from(pools.values(), (pool) => pool.end()));
    },
  };
}
