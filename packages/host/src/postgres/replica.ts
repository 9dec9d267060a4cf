// Decides which reads a replica may answer, so that none is older than the bound or older than its reader's own write.

import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { Caller } from "../keys.ts";
import type { ConnectionSource } from "./connection-source.ts";
import type { ReplicaWatch } from "./replica-watch.ts";

/**
 * Most milliseconds an answer may be behind: so long a member whose access has ended may still read what it opened in the lists
 * of `replica-reads.json`. Past it the primary answers.
 */
export const maxReplicaLagMs = 5000;
/** Accounts whose last write is remembered. */
const maxWriters = 50_000;
/** How often the connections are looked at. */
const cutEveryMs = 1000;

/** The header of an answer to a write, while there is a replica. */
export const writtenHeader = "x-database-written";
/** A client that wrote within the last seconds sends it, so that a read does not miss the write whichever host it was made at. */
export const afterWriteHeader = "x-read-after-write";

/** What became of a read that may lag. */
export type ReplicaOutcome = "replica" | "lag" | "own_write" | "failed";

/** The parts of a replica. */
export interface ReplicaParts {
  readonly watch: Pick<ReplicaWatch, "heldUntil" | "lagMs" | "problem" | "stop">;
  readonly pool: pg.Pool;
  /** Connections to it, shared fairly between members. */
  readonly sourceOf: (member: string) => ConnectionSource;
  /** The same monotonic clock as the watch's, in milliseconds. */
  readonly now?: () => number;
}

/** A read replica, and who may be answered from it now. */
export class Replica {
  readonly #parts: ReplicaParts;
  readonly #now: () => number;
  readonly #writes = new LRUCache<string, number>({ max: maxWriters });
  readonly #sockets = new Set<pg.PoolClient>();
  readonly #timer: NodeJS.Timeout;
  /** Reads so far, by what became of them. */
  readonly reads: Record<ReplicaOutcome, number> = { replica: 0, lag: 0, own_write: 0, failed: 0 };

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    parts.pool.on("connect", (client) => this.#sockets.add(client));
    parts.pool.on("remove", (client) => this.#sockets.delete(client));
    this.#timer = setInterval(() => this.cutWhenLost(), cutEveryMs);
    this.#timer.unref();
  }

  /** How many milliseconds it may be behind; undefined when that is not known. */
  get lagMs(): number | undefined {
    return this.#parts.watch.lagMs;
  }

  /** Why it is not used now; undefined while it is. */
  get problem(): string | undefined {
    const { lagMs, problem } = this.#parts.watch;
    if (lagMs !== undefined && lagMs <= maxReplicaLagMs) return undefined;
    return problem ?? `it is more than ${maxReplicaLagMs / 1000} s behind`;
  }

  /** Remembers that an account has just written: until the replica holds that, the primary answers it. */
  recordWrite(account: string | undefined): void {
    if (account !== undefined) this.#writes.set(account, this.#now());
  }

  /**
   * Where a read that may lag is answered; undefined for the primary.
   * @param isAfterWrite the client says that it has just written, maybe at another host
   */
  sourceFor({ role, userId }: Caller, isAfterWrite: boolean): ConnectionSource | undefined {
    if (role !== "authenticated" || userId === undefined) return undefined;
    const { heldUntil } = this.#parts.watch;
    const wroteAt = this.#writes.get(userId);
    if (heldUntil === undefined || this.#now() - heldUntil > maxReplicaLagMs) {
      this.reads.lag++;
      return undefined;
    }
    if (isAfterWrite || (wroteAt !== undefined && wroteAt >= heldUntil)) {
      this.reads.own_write++;
      return undefined;
    }
    return this.#parts.sourceOf(userId);
  }

  /** Ends the connections once the replica is lost, so that reads on a machine that went silent fail and are asked of the primary. */
  cutWhenLost(): void {
    if (this.problem === undefined) return;
    for (const client of this.#sockets) {
      const { connection } = client as unknown as {
        connection: { stream: { destroy: () => void } };
      };
      connection.stream.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#parts.watch.stop();
  }
}
