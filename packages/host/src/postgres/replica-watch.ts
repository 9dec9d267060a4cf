// Measures how far a read replica is behind, by positions of the primary's log noted with their times.

import pg from "pg";
import type { Logger } from "pino";
import type { Queryable } from "./connection-source.ts";

/** How often primary and replica are compared. */
const sampleEveryMs = 500;
/** A replica that takes longer to respond counts as unreachable. */
const longestAnswerMs = 2000;
/** Most positions of the primary that are waited for; older ones say nothing within any bound. */
const maxSamples = 64;

const notCompared = "it was not compared with the primary yet";

/** A position in the write-ahead log of the primary, and a time before which everything was before it. */
interface Sample {
  at: number;
  position: bigint;
}

const position = (sql: string) => `pg_wal_lsn_diff(${sql}, '0/0')::text`;
/** Both servers have the identity of the cluster they were made from. */
const identity = "(select system_identifier::text from pg_control_system())";
const primarySql = `select ${position("pg_current_wal_lsn()")} as position, ${identity} as identity`;
const replicaSql = `select pg_is_in_recovery() as "isReplica", ${identity} as identity,
  case when pg_is_in_recovery() then ${position("pg_last_wal_replay_lsn()")} end as position`;

interface ReplicaState {
  isReplica: boolean;
  identity: string;
  position: string | null;
}

/** @throws {Error} when it is no replica of that primary */
function positionOf(replica: ReplicaState, primary: Pick<ReplicaState, "identity">): bigint {
  if (replica.identity !== primary.identity) throw new Error("it is a copy of another cluster");
  if (!replica.isReplica || replica.position === null)
    throw new Error("it is no replica, or not any more");
  return BigInt(replica.position);
}

/** A connection by which a replica is asked. */
type ReplicaConnection = Pick<pg.Client, "query" | "end">;

/** Connects to a replica whose answers are not waited for long. */
export async function connectReplica(url: string): Promise<ReplicaConnection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "host-replica-watch",
    connectionTimeoutMillis: longestAnswerMs,
    query_timeout: longestAnswerMs,
  });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** What the watch over a replica needs. */
export interface ReplicaWatchOptions {
  /** Opens a connection to the replica. */
  readonly connect: () => Promise<ReplicaConnection>;
  readonly primary: Queryable;
  readonly log?: Pick<Logger, "warn" | "info"> | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * Watches a replica. The time it is known to hold comes from the host's own clock and the primary's log, not from
 * `pg_last_xact_replay_timestamp()`: that looks old while nobody writes, and new on a replica that lost its primary.
 */
export class ReplicaWatch {
  readonly #options: ReplicaWatchOptions;
  readonly #now: () => number;
  readonly #timer: NodeJS.Timeout;
  #samples: Sample[] = [];
  #heldUntil: number | undefined;
  #client: ReplicaConnection | undefined;
  #running: Promise<void> | undefined;
  #problem: string | undefined = notCompared;
  #isStopped = false;

  constructor(options: ReplicaWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#timer = setInterval(() => void this.compare(), sampleEveryMs);
    this.#timer.unref();
    void this.compare();
  }

  /** The time, by the monotonic clock, up to which the replica holds everything; undefined when that is not known. */
  get heldUntil(): number | undefined {
    return this.#heldUntil;
  }

  /** How many milliseconds the replica may be behind; undefined when that is not known. */
  get lagMs(): number | undefined {
    return this.#heldUntil === undefined ? undefined : this.#now() - this.#heldUntil;
  }

  /** Why the last comparison failed; undefined when it did not. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Compares both once. Never rejects; calls during a comparison share it. */
  async compare(): Promise<void> {
    this.#running ??= this.#compare()
      .then(
        () => this.#report(undefined),
        (error: unknown) => {
          // With the connection goes what a silent server still owes it.
          void this.#client?.end().catch(() => undefined);
          this.#client = undefined;
          this.#report(error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
    await this.#running;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    void this.#client?.end().catch(() => undefined);
  }

  async #compare(): Promise<void> {
    const at = this.#now();
    const { rows } = await this.#options.primary.query<{ position: string; identity: string }>(
      primarySql,
    );
    const [primary] = rows;
    if (primary === undefined) throw new Error("the primary gives no position");
    this.#samples.push({ at, position: BigInt(primary.position) });
    if (this.#samples.length > maxSamples) this.#samples.shift();
    const replica = await this.#askReplica();
    let reached: bigint;
    try {
      reached = positionOf(replica, primary);
    } catch (error) {
      // What was known of it says nothing about a server that is another one now.
      this.#heldUntil = undefined;
      throw error;
    }
    if (await this.#isBeyondPrimary(reached)) {
      // The primary was replaced by one that is behind it: they are of two histories.
      this.#heldUntil = undefined;
      this.#samples = [];
      throw new Error("it holds what the primary does not");
    }
    const last = this.#samples.findLast((sample) => sample.position <= reached);
    if (last === undefined) return;
    this.#heldUntil = last.at;
    this.#samples = this.#samples.filter((sample) => sample.at >= last.at);
  }

  /** Asked after the replica was, so that the primary is ahead of whatever the replica has from it. */
  async #isBeyondPrimary(reached: bigint): Promise<boolean> {
    const { rows } = await this.#options.primary.query<{ position: string }>(primarySql);
    return rows[0] !== undefined && BigInt(rows[0].position) < reached;
  }

  async #askReplica() {
    const client = this.#client ?? (await this.#connect());
    const { rows } = await client.query<ReplicaState>(replicaSql);
    const [row] = rows;
    if (row === undefined) throw new Error("the replica gives no position");
    return row;
  }

  async #connect(): Promise<ReplicaConnection> {
    const client = await this.#options.connect();
    if (this.#isStopped) {
      await client.end();
      throw new Error("the host stops");
    }
    this.#client = client;
    return client;
  }

  #report(problem: string | undefined): void {
    if (this.#isStopped || problem === this.#problem) return;
    const isFirst = this.#problem === notCompared;
    this.#problem = problem;
    if (problem !== undefined)
      this.#options.log?.warn({ reason: problem }, "the read replica is not used");
    else if (!isFirst) this.#options.log?.info("the read replica is used again");
  }
}

/**
 * Compares a replica with its primary once.
 * @returns how many bytes of the primary's log it has not replayed yet
 * @throws {Error} when it is no replica of that primary
 */
export async function compareReplica(url: string, primary: Queryable): Promise<number> {
  const { rows: known } = await primary.query<{ position: string; identity: string }>(primarySql);
  const client = await connectReplica(url);
  try {
    const { rows } = await client.query<ReplicaState>(replicaSql);
    const [ofPrimary, ofReplica] = [known[0], rows[0]];
    if (ofPrimary === undefined || ofReplica === undefined)
      throw new Error("the servers give no position");
    return Math.max(0, Number(BigInt(ofPrimary.position) - positionOf(ofReplica, ofPrimary)));
  } finally {
    await client.end().catch(() => undefined);
  }
}
