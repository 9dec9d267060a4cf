import { hash } from "node:crypto";
import pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { factsSql, onceVisible, type FactRow, type Sighted } from "./describe-table.ts";
import { arrayItem } from "./literals.ts";
import { isSubscribersFault, isTimeout, Quarantine } from "./quarantine.ts";
import type { RowKeys, Sight, SubscriberIdentity } from "./sight-sql.ts";

/** More rows than this are looked at with the eyes of one viewer after the other: that costs less. A bit each. */
const MOST_ROWS = 16;
/** What one question may take. */
const TIMEOUT_MS = 2_000;

const { escapeIdentifier } = pg;

/**
 * What holds for the table, and for each row its place, from 1, and those who may read it, as an array in binary;
 * or that all who are asked about may. Mostly all may, and the function names them in their order; only where it
 * does not are they put in order. None of the rows are looked at before the transactions that wrote them can be
 * seen. Each row is looked up by itself: the plan is kept, and one made while the table was small would read it
 * whole.
 */
function readersSql({ schema, table, key }: RowKeys, readers: string): string {
  const names = key.map((_, at) => `k${at}`);
  const arrays = key.map((column, at) => `$${at + 5}::${column.sqlType}[]`);
  const match = key.map((column, at) => `seen.${escapeIdentifier(column.name)} = wanted.k${at}`);
  const facts = factsSql({ oid: "$2", roles: "$3", transactions: "$4" });
  return `select facts.*, found.place::int, known.accounts = $1 as everybody,
      case when known.accounts <> $1 then array_send(known.accounts) end as accounts
    from (${facts}) as facts
    left join lateral (
      select wanted.place, ${readers}(at_place.seen, $1) as named
        from unnest(${arrays.join(", ")}) with ordinality as wanted(${[...names, "place"].join(", ")})
        cross join lateral (
          select seen from ${escapeIdentifier(schema)}.${escapeIdentifier(table)} as seen
           where ${match.join(" and ")} offset 0) as at_place
       where facts.visible offset 0) as found on true
    left join lateral (
      select case when found.named = $1 then found.named
                  else array(select account from unnest(found.named) as account
                              where account is not null order by account) end as accounts
      offset 0) as known on true`;
}

const literal = (items: readonly (string | null)[]) => `{${items.map(arrayItem).join(",")}}`;

/** Accounts are told in binary, both ways: as text a thousand of them take longer than the question itself. */
const UUID_OID = 2950;
const HEADER_BYTES = 20;
const LENGTH_OF_UUID = "00000010";
/** Hexadecimal digits of an item: its length, and the uuid. */
const ITEM_DIGITS = 40;

/** An array of uuids as `array_recv` reads it: one dimension, no nulls, the type, so many items from the first. */
function encode(accounts: readonly string[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  for (const [at, value] of [1, 0, UUID_OID, accounts.length, 1].entries()) {
    header.writeInt32BE(value, at * 4);
  }
  const items = accounts.map((account) => LENGTH_OF_UUID + account).join("");
  return Buffer.concat([header, Buffer.from(items, "hex")]);
}

/** The items of an array as `array_send` writes it. */
function decode(array: Buffer): string[] {
  const digits = array.toString("hex", HEADER_BYTES);
  const count = digits.length / ITEM_DIGITS;
  return Array.from({ length: count }, (_, at) =>
    digits.slice(at * ITEM_DIGITS + LENGTH_OF_UUID.length, (at + 1) * ITEM_DIGITS),
  );
}

/** The accounts behind viewers, in order and each once: the same account may be there with several tokens. */
function accountsOf(viewers: readonly SubscriberIdentity[]): Buffer {
  return encode([...new Set(viewers.map(({ account = "" }) => account))].toSorted());
}

/** One row of an answer; without a place when there is none of the rows, without accounts when everybody may read it. */
interface Answer extends FactRow, Sighted {
  place: number | null;
  everybody: boolean | null;
  accounts: Buffer | null;
}

/** Who sees what, a bit for each row. */
function sightOf(answers: readonly Answer[]): Sight {
  let ofAll = 0;
  const ofSome = new Map<string, number>();
  for (const { place, everybody, accounts } of answers) {
    if (place === null) continue;
    const bit = 1 << (place - 1);
    if (everybody === true) ofAll |= bit;
    for (const one of accounts ? decode(accounts) : []) {
      ofSome.set(one, (ofSome.get(one) ?? 0) | bit);
    }
  }
  return ({ account = "" }, place) => {
    const bit = 1 << place;
    return (ofAll & bit) !== 0 || ((ofSome.get(account) ?? 0) & bit) !== 0;
  };
}

/** What is asked of readers. */
export interface ReadersQuestion {
  /** The table, and whose rights to its columns are told with it. */
  oid: number;
  roles: readonly string[];
  keys: RowKeys;
  /** The function's name, schema and all. */
  readers: string;
  viewers: readonly SubscriberIdentity[];
  /** The transactions that wrote the rows. */
  transactions: readonly number[];
}

/** What readers said, and what their table was at that very moment. */
export interface ReadersAnswer {
  facts: FactRow;
  sight: Sight;
}

/**
 * Asks the functions that policies name as saying the same for many at once: `(row, accounts uuid[])` in, those
 * of the accounts who may read the row out. One question a batch, however many listen.
 */
export class Readers {
  readonly #pool: Pool;
  readonly #log: Logger;
  /** Functions that took too long. */
  readonly #quarantined = new Quarantine();
  /** As Postgres reads them; whoever was asked about once mostly is again. */
  readonly #accounts = new WeakMap<readonly SubscriberIdentity[], Buffer>();
  #client: PoolClient | undefined;

  /** @param pool of the owner: the functions take accounts, so nobody else may call them */
  constructor(pool: Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** True when such functions can answer about so many rows. */
  static canAnswer({ rows }: RowKeys): boolean {
    return rows.length <= MOST_ROWS;
  }

  /**
   * Who sees which of the rows, as soon as the rows can be seen.
   * @returns undefined when the function failed, or took too long of late, or the table is gone
   * @throws when the database cannot be asked
   */
  async see(question: ReadersQuestion): Promise<ReadersAnswer | undefined> {
    const { oid, roles, keys, readers, viewers, transactions } = question;
    if (this.#quarantined.has(readers)) return undefined;
    const text = readersSql(keys, readers);
    const name = `readers_${hash("sha256", text, "hex").slice(0, 40)}`;
    const columns = keys.key.map((_, at) => literal(keys.rows.map((row) => row[at] ?? null)));
    const accounts = this.#accounts.get(viewers) ?? accountsOf(viewers);
    this.#accounts.set(viewers, accounts);
    try {
      const client = (this.#client ??= await this.#connect());
      const values = [accounts, oid, roles, transactions, ...columns];
      const answers = await onceVisible(
        async () => (await client.query<Answer>({ name, text, values })).rows,
      );
      const [facts] = answers;
      return facts && { facts, sight: sightOf(answers) };
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
      // Planned once: to plan such a question anew would take longer than to answer it.
      await client.query(
        `set statement_timeout = ${TIMEOUT_MS}; set jit = off; set plan_cache_mode = force_generic_plan`,
      );
    } catch (error) {
      client.release(true);
      throw error;
    }
    return client;
  }
}
