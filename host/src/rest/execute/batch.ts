import type { Connection, Submittable } from "pg";

/** One statement with its values; a `key` keeps it prepared on the connection for the next time. */
export interface BatchStatement {
  text: string;
  values: readonly (string | null)[];
  /** Requests with the same key and text share one prepared statement. */
  key?: string;
}

/** Rows of one statement; every value is text, as Postgres sends it. */
export type BatchRows = (string | null)[][];

/** Messages of the extended protocol that a connection of `pg` can send. */
interface Wire {
  stream: { cork: () => void; uncork: () => void };
  parse: (message: { name: string; text: string; types: number[] }) => void;
  bind: (message: { portal: string; statement: string; values: unknown[] }) => void;
  execute: (message: { portal: string; rows: number }) => void;
  close: (message: { type: "S"; name: string }) => void;
  sync: () => void;
}

/** Most statements kept prepared on one connection. */
const MOST_PREPARED = 200;

/** Statements prepared on one connection, the least recently used first. */
export class Prepared {
  readonly #names = new Map<string, string>();
  /** Names that are no longer looked up and wait to be closed. */
  #discarded: string[] = [];
  #count = 0;

  /** The name under which a statement is known, if it is. */
  find(key: string): string | undefined {
    const name = this.#names.get(key);
    if (name === undefined) return undefined;
    this.#names.delete(key);
    this.#names.set(key, name);
    return name;
  }

  /** Gives a new statement its name; the oldest one has to go when there are too many. */
  add(key: string): string {
    const oldest = this.#names.keys().next().value;
    if (this.#names.size >= MOST_PREPARED && oldest !== undefined) this.discard(oldest);
    this.#count += 1;
    const name = `rest${this.#count}`;
    this.#names.set(key, name);
    return name;
  }

  discard(key: string): void {
    const name = this.#names.get(key);
    if (name === undefined) return;
    this.#names.delete(key);
    this.#discarded.push(name);
  }

  /** Names to close on the connection, each given once. */
  takeDiscarded(): string[] {
    const names = this.#discarded;
    this.#discarded = [];
    return names;
  }
}

/**
 * Statements that travel together: all are sent at once with a single Sync at the end, so that Postgres runs
 * them as one transaction (unless they begin one of their own) and stops at the first that fails.
 */
export class Batch implements Submittable {
  readonly results: Promise<BatchRows[]>;
  readonly #statements: readonly BatchStatement[];
  readonly #prepared: Prepared;
  readonly #rows: BatchRows[];
  readonly #fresh: string[] = [];
  #finished = 0;
  #settle: { resolve: (rows: BatchRows[]) => void; reject: (error: Error) => void };

  constructor(statements: readonly BatchStatement[], prepared: Prepared) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#rows = statements.map(() => []);
    const { promise, resolve, reject } = Promise.withResolvers<BatchRows[]>();
    this.results = promise;
    this.#settle = { resolve, reject };
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    try {
      for (const name of this.#prepared.takeDiscarded()) wire.close({ type: "S", name });
      for (const statement of this.#statements) this.#send(statement, wire);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  #send({ key, text, values }: BatchStatement, wire: Wire): void {
    let statement = "";
    const id = key === undefined ? undefined : `${key}\n${text}`;
    const known = id === undefined ? undefined : this.#prepared.find(id);
    if (known !== undefined) {
      statement = known;
    } else if (id === undefined) {
      wire.parse({ name: "", text, types: [] });
    } else {
      const name = this.#prepared.add(id);
      wire.parse({ name, text, types: [] });
      this.#fresh.push(id);
      statement = name;
    }
    wire.bind({ portal: "", statement, values: [...values] });
    wire.execute({ portal: "", rows: 0 });
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.#rows[this.#finished]?.push(message.fields);
  }

  handleCommandComplete(): void {
    this.#finished += 1;
  }

  handleEmptyQuery(): void {
    this.#finished += 1;
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#rows);
  }

  handleError(error: Error): void {
    // What came after the failure was never prepared, what came before was: closing is right for both.
    for (const id of this.#fresh) this.#prepared.discard(id);
    this.#settle.reject(error);
  }

  /** Not asked for: the shape of every result is known. */
  handleRowDescription(): void {
    // Nothing to do.
  }

  handlePortalSuspended(): void {
    // Portals are run to their end.
  }
}
