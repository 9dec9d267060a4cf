// Sends several statements to Postgres in one round trip, by the extended query protocol.

import type { Connection, Submittable } from "pg";
import type { PreparedStatements } from "./prepared-statements.ts";

/** One statement with its values. With a `key` it may stay prepared on the connection. */
export interface BatchStatement {
  text: string;
  values: readonly (string | null)[];
  /** Requests with the same key and text share one prepared statement. */
  key?: string;
}

/** Rows of one statement; every value is text, as Postgres sends it. */
export type BatchRows = (string | null)[][];

/** Messages of the extended protocol that a connection of `pg` can send. */
interface ProtocolConnection {
  stream: { cork: () => void; uncork: () => void };
  parse: (message: { name: string; text: string; types: number[] }) => void;
  bind: (message: { portal: string; statement: string; values: unknown[] }) => void;
  execute: (message: { portal: string; rows: number }) => void;
  close: (message: { type: "S"; name: string }) => void;
  sync: () => void;
}

/**
 * Statements that are sent together with a single Sync at the end. Postgres runs them as one transaction, unless they
 * begin one themselves, and stops at the first that fails.
 */
export class Batch implements Submittable {
  readonly results: Promise<BatchRows[]>;
  readonly #statements: readonly BatchStatement[];
  readonly #prepared: PreparedStatements;
  readonly #rows: BatchRows[];
  readonly #newlyPrepared: string[] = [];
  #finished = 0;
  #deferred: { resolve: (rows: BatchRows[]) => void; reject: (error: Error) => void };

  constructor(statements: readonly BatchStatement[], prepared: PreparedStatements) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#rows = statements.map(() => []);
    const { promise, resolve, reject } = Promise.withResolvers<BatchRows[]>();
    this.results = promise;
    this.#deferred = { resolve, reject };
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as ProtocolConnection;
    wire.stream.cork();
    try {
      for (const name of this.#prepared.takeDiscarded()) wire.close({ type: "S", name });
      for (const statement of this.#statements) this.#send(statement, wire);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  #send({ key, text, values }: BatchStatement, wire: ProtocolConnection): void {
    const id = key === undefined ? undefined : `${key}\n${text}`;
    const { name, isNew } =
      id === undefined ? { name: "", isNew: true } : this.#prepared.nameFor(id, text);
    if (isNew) wire.parse({ name, text, types: [] });
    if (isNew && name !== "" && id !== undefined) this.#newlyPrepared.push(id);
    wire.bind({ portal: "", statement: name, values: [...values] });
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
    this.#deferred.resolve(this.#rows);
  }

  handleError(error: Error): void {
    // Statements before the failure were prepared, later ones were not; closing is harmless for both.
    for (const id of this.#newlyPrepared) this.#prepared.discard(id);
    this.#deferred.reject(error);
  }

  /** Never requested: the shape of every result is known. */
  handleRowDescription(): void {
    // Nothing to do.
  }

  handlePortalSuspended(): void {
    // Portals always run to completion.
  }
}
