import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Most bytes that what stays prepared on one connection may take in Postgres, by `planBytes`. */
const maxPlanBytes = 16 * 1024 * 1024;
/** A connection that has planned this many bytes is replaced: what Postgres frees stays its own. */
const maxPlannedBytes = 256 * 1024 * 1024;
/** Most uses of one connection. */
const maxUses = 50_000;
/** Statements that were asked for at least once; more than these are forgotten. */
const maxSeen = 10_000;

/**
 * What a prepared statement takes in Postgres, by the length of its text. Measured in `pg_backend_memory_contexts`:
 * 53 to 164 bytes a character for lists of columns, filters, and 1 to 20 embeds; a request for one column 48 kB.
 */
export function planBytes(text: string): number {
  return 8 * 1024 + 160 * text.length;
}

const seen = new LRUCache<string, true>({ max: maxSeen });

/** True from the second time on: what is asked only once is not worth keeping a plan. */
function hasBeenSeen(id: string): boolean {
  const digest = hash("sha1", id, "base64");
  if (seen.has(digest)) return true;
  seen.set(digest, true);
  return false;
}

/** How a statement is sent: under a name or without one, and whether it has to be parsed first. */
export interface StatementName {
  name: string;
  isNew: boolean;
}

/** Statements prepared on one connection, within a budget of bytes; the least recently used make room. */
export class PreparedStatements {
  readonly #names: LRUCache<string, string>;
  /** Names that are no longer looked up and wait to be closed. */
  #discarded: string[] = [];
  #count = 0;
  #planned = 0;
  #uses = 0;

  constructor(maxBytes = maxPlanBytes) {
    this.#names = new LRUCache({
      maxSize: maxBytes,
      dispose: (name) => {
        this.#discarded.push(name);
      },
    });
  }

  /** The name to send a statement under; `id` tells it from all others. */
  nameFor(id: string, text: string): StatementName {
    this.#uses += 1;
    const known = this.#names.get(id);
    if (known !== undefined) return { name: known, isNew: false };
    const size = planBytes(text);
    this.#planned += size;
    if (!hasBeenSeen(id)) return { name: "", isNew: true };
    this.#count += 1;
    const name = `rest${this.#count}`;
    // One too large for the whole budget is not kept, and goes without a name.
    this.#names.set(id, name, { size });
    return this.#names.has(id) ? { name, isNew: true } : { name: "", isNew: true };
  }

  discard(id: string): void {
    this.#names.delete(id);
  }

  /** Names to close on the connection, each given once. */
  takeDiscarded(): string[] {
    const names = this.#discarded;
    this.#discarded = [];
    return names;
  }

  /** True when the connection has grown, or served, enough to be replaced by a new one. */
  get isDueForReplacement(): boolean {
    return this.#planned > maxPlannedBytes || this.#uses > maxUses;
  }
}
