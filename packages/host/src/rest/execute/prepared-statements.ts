// Decides which statements stay prepared on a connection, within a budget for Postgres's memory.

import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Most bytes of prepared statements on one connection, estimated by `planBytes`. */
const maxPlanBytes = 16 * 1024 * 1024;
/** A connection that has planned this many bytes is replaced, because Postgres keeps the memory it frees. */
const maxPlannedBytes = 256 * 1024 * 1024;
/** Most uses of one connection. */
const maxUses = 50_000;
/** Most statements cached as seen before. */
const maxSeen = 10_000;

/**
 * Estimated size of a prepared statement in Postgres, in bytes, from the length of its text. Measured in
 * `pg_backend_memory_contexts`: 53 to 164 bytes per character for lists of columns, filters, and 1 to 20 embeds; 48 kB
 * for a request for one column.
 */
export function planBytes(text: string): number {
  return 8 * 1024 + 160 * text.length;
}

const seen = new LRUCache<string, true>({ max: maxSeen });

/** True from the second call on: a statement that runs only once is not worth preparing. */
function hasBeenSeen(id: string): boolean {
  const digest = hash("sha1", id, "base64");
  if (seen.has(digest)) return true;
  seen.set(digest, true);
  return false;
}

/** The name of a prepared statement, empty for the unnamed one, and whether it must be parsed first. */
export interface StatementName {
  name: string;
  isNew: boolean;
}

/** Statements prepared on one connection, within a budget of bytes; the least recently used are closed first. */
export class PreparedStatements {
  readonly #names: LRUCache<string, string>;
  /** Names of statements that are still to be closed. */
  #discarded: string[] = [];
  #count = 0;
  #planned = 0;
  #uses = 0;
  readonly #mayKeep: boolean;

  /** @param mayKeep false where the next transaction may run on another connection of the server, which knows no names */
  constructor(maxBytes = maxPlanBytes, mayKeep = true) {
    this.#mayKeep = mayKeep;
    this.#names = new LRUCache({
      maxSize: maxBytes,
      dispose: (name) => {
        this.#discarded.push(name);
      },
    });
  }

  /** The name under which to send a statement; `id` identifies it. */
  nameFor(id: string, text: string): StatementName {
    this.#uses += 1;
    if (!this.#mayKeep) return { name: "", isNew: true };
    const known = this.#names.get(id);
    if (known !== undefined) return { name: known, isNew: false };
    const size = planBytes(text);
    this.#planned += size;
    if (!hasBeenSeen(id)) return { name: "", isNew: true };
    this.#count += 1;
    const name = `rest${this.#count}`;
    // A statement larger than the whole budget is not kept and is sent without a name.
    this.#names.set(id, name, { size });
    return this.#names.has(id) ? { name, isNew: true } : { name: "", isNew: true };
  }

  discard(id: string): void {
    this.#names.delete(id);
  }

  /** Names to close on the connection; each is returned once. */
  takeDiscarded(): string[] {
    const names = this.#discarded;
    this.#discarded = [];
    return names;
  }

  /** True when the connection has planned or served enough to be replaced by a new one. */
  get isDueForReplacement(): boolean {
    return this.#planned > maxPlannedBytes || this.#uses > maxUses;
  }
}
