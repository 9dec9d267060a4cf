// `pg.Pool` with limits on how many requests wait for a connection, and for how long.

import pg from "pg";
import { DatabaseBusyError } from "./database-busy.ts";

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

const idleTimeoutMs = 60_000;

/** Options of a pool. */
export interface PoolOptions {
  /** `application_name` of its connections in pg_stat_activity. */
  name: string;
  connections: number;
  /** Requests that may wait for a connection. */
  waiting: number;
  longestWaitMs: number;
  /** Statement timeout; the login's own when undefined. */
  statementTimeoutMs?: number;
  /** False for connections through a pool in transaction mode that forgets prepared statements; true unless given. */
  keepsStatements?: boolean;
}

const statementless = new WeakSet<pg.ClientBase>();

/** Whether a statement prepared on this connection is still there at its next transaction. */
export function keepsStatements(client: pg.ClientBase): boolean {
  return !statementless.has(client);
}

function translate(error: Error | undefined): Error | undefined {
  return error?.message.startsWith("timeout exceeded") === true ? new DatabaseBusyError() : error;
}

/** A pool whose queue is bounded in length and time; `connect` and `query` reject with {@link DatabaseBusyError}. */
export class BoundedPool extends pg.Pool {
  readonly #connections: number;
  readonly #waiting: number;

  constructor(url: string, options: PoolOptions) {
    super({
      connectionString: url,
      max: options.connections,
      application_name: options.name,
      idleTimeoutMillis: idleTimeoutMs,
      connectionTimeoutMillis: options.longestWaitMs,
      statement_timeout: options.statementTimeoutMs ?? false,
    });
    this.#connections = options.connections;
    this.#waiting = options.waiting;
    // A connection lost while idle is replaced by the next request. Without a listener the error would end the process.
    this.on("error", () => undefined);
    this.on("connect", (client) => {
      // A connection lost in use fails its running query; the event needs no further handling.
      client.on("error", () => undefined);
      if (options.keepsStatements === false) statementless.add(client);
    });
  }

  #isFull(): boolean {
    const isTaken = this.idleCount === 0 && this.totalCount >= this.#connections;
    return isTaken && this.waitingCount >= this.#waiting;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const isFull = this.#isFull();
    if (callback === undefined) {
      if (isFull) return Promise.reject(new DatabaseBusyError());
      return super.connect().catch((error: unknown) => {
        throw error instanceof Error ? translate(error) : error;
      });
    }
    if (isFull) process.nextTick(callback, new DatabaseBusyError(), undefined, () => undefined);
    else super.connect((error, client, done) => callback(translate(error), client, done));
  }
}
