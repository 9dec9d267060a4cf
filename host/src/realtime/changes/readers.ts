import { hash } from "node:crypto";
import pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { arrayItem } from "./literals.ts";
import { isSubscribersFault, isTimeout, Quarantine } from "./quarantine.ts";
import type { RowKeys, Sight, Viewer } from "./sight-sql.ts";

/** More rows than this are looked at with the eyes of one viewer after the other: that costs less. A bit each. */
const MOST_ROWS = 16;
/** What one question may take. */
const TIMEOUT_MS = 2_000;
const ACCOUNT = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

const { escapeIdentifier } = pg;

/** For each row its place, from 1, and those who may read it as an array in binary. */
function readersSql({ schema, table, key }: RowKeys, readers: string): string {
  const names = key.map((_, at) => `k${at}`);
  const arrays = key.map((column, at) => `$${at + 2}::${column.sqlType}[]`);
  const match = key.map((column, at) => `seen.${escapeIdentifier(column.name)} = wanted.k${at}`);
  return `select wanted.place::int, array_send(array_remove(${readers}(seen, $1), null)) as accounts
    from unnest(${arrays.join(", ")}) with ordinality as wanted(${[...names, "place"].join(", ")})
    join ${escapeIdentifier(schema)}.${escapeIdentifier(table)} as seen on ${match.join(" and ")}`;
}

const literal = (items: readonly (string | null)[]) => `{${items.map(arrayItem).join(",")}}`;

/** Accounts are told in binary, both ways: as text a thousand of them take longer than the question itself. */
const UUID_OID = 2950;
const HEADER_BYTES = 20;
/** Hexadecimal digits of an item: its length, and the uuid. */
const ITEM_DIGITS = 40;

const items = new WeakMap<Viewer, string>();

/** The account as an item of a binary array, in hexadecimal; made once for a viewer. */
function itemOf(viewer: Viewer): string {
  const item = items.get(viewer) ?? `00000010${viewer.subject.replaceAll("-", "")}`;
  items.set(viewer, item);
  return item;
}

/** An array of uuids as `array_recv` reads it: one dimension, no nulls, the type, so many items from the first. */
function encode(accounts: readonly string[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  for (const [at, value] of [1, 0, UUID_OID, accounts.length, 1].entries()) {
    header.writeInt32BE(value, at * 4);
  }
  return Buffer.concat([header, Buffer.from(accounts.join(""), "hex")]);
}

/** The items of an array as `array_send` writes it. */
function decode(array: Buffer): string[] {
  const digits = array.toString("hex", HEADER_BYTES);
  const count = digits.length / ITEM_DIGITS;
  return Array.from({ length: count }, (_, at) =>
    digits.slice(at * ITEM_DIGITS, (at + 1) * ITEM_DIGITS),
  );
}

const placesOf = (bits: number): ReadonlySet<number> =>
  new Set(Array.from({ length: MOST_ROWS }, (_, at) => at).filter((at) => (bits >> at) & 1));

/**
 * Asks the functions that policies name as saying the same for many at once: `(row, accounts uuid[])` in, those
 * of the accounts who may read the row out. One question a batch, however many listen.
 */
export class Readers {
  readonly #pool: Pool;
  readonly #log: Logger;
  /** Functions that took too long. */
  readonly #quarantined = new Quarantine();
  #client: PoolClient | undefined;

  /** @param pool of the owner: the functions take accounts, so nobody else may call them */
  constructor(pool: Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** True when such a function can answer for this viewer. */
  static canAnswer(keys: RowKeys, viewer: Viewer): boolean {
    return keys.rows.length <= MOST_ROWS && ACCOUNT.test(viewer.subject);
  }

  /**
   * For each of the viewers the places (from 0) of the rows it sees.
   * @returns undefined when the function failed, or took too long of late: the policy has to be asked itself
   * @throws when the database cannot be asked
   */
  async see(
    keys: RowKeys,
    readers: string,
    viewers: readonly Viewer[],
  ): Promise<Sight | undefined> {
    if (this.#quarantined.has(readers)) return undefined;
    const text = readersSql(keys, readers);
    const columns = keys.key.map((_, at) => literal(keys.rows.map((row) => row[at] ?? null)));
    // The same account with different tokens is asked about once.
    const accounts = [...new Set(viewers.map(itemOf))];
    try {
      const client = (this.#client ??= await this.#connect());
      const { rows } = await client.query<{ place: number; accounts: Buffer | null }>({
        name: `readers_${hash("sha256", text, "hex").slice(0, 40)}`,
        text,
        values: [encode(accounts), ...columns],
      });
      // One bit for each row; most viewers see the same rows, so sets are shared.
      const seen = new Map<string, number>();
      for (const row of rows) {
        const bit = 1 << (row.place - 1);
        for (const item of row.accounts ? decode(row.accounts) : []) {
          seen.set(item, (seen.get(item) ?? 0) | bit);
        }
      }
      const sets = new Map<number, ReadonlySet<number>>();
      return new Map(
        viewers.map((viewer) => {
          const bits = seen.get(itemOf(viewer)) ?? 0;
          const places = sets.get(bits) ?? placesOf(bits);
          sets.set(bits, places);
          return [viewer, places];
        }),
      );
    } catch (error) {
      this.release();
      if (!isSubscribersFault(error)) throw error;
      if (isTimeout(error)) this.#quarantined.add(readers);
      this.#log.warn({ err: error, table: keys.table, readers }, "the readers of a policy failed");
      return undefined;
    }
  }

  release(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }

  async #connect(): Promise<PoolClient> {
    const client = await this.#pool.connect();
    try {
      await client.query(`set statement_timeout = ${TIMEOUT_MS}; set jit = off`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return client;
  }
}
