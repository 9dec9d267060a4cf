// Fast path for row visibility: one SQL function names all readers of a row, so no policy runs for each of them.

import { hash } from "node:crypto";
import pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { tableMetadataSql, retryUntilVisible, type SnapshotRow } from "./table-metadata.ts";
import type { TableMetadataRow } from "./change-decision.ts";
import { arrayItem } from "./sql-literals.ts";
import { isSubscriberError, isTimeout, Quarantine } from "./quarantine.ts";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import type { RowKeys, RowVisibility } from "./rls-query.ts";

/** For more rows, evaluating the policy for each identity costs less. Rows are kept as bits of a number. */
const maxRows = 16;
/** Limit of one query. */
const timeoutMs = 2_000;

const { escapeIdentifier } = pg;

/**
 * SQL for the table's metadata and, for each row, its number (from 1) and the authorized accounts: either all of
 * the given ones (`isEveryone`) or a binary array. Usually every account is authorized and the function returns them
 * in the given order; they are sorted only otherwise. No row is read before the transactions that wrote it are
 * visible. Each row is selected on its own, because the plan is cached and one made for a small table would scan it.
 */
function authorizerSql({ schema, table, key }: RowKeys, authorizer: string): string {
  const names = key.map((_, at) => `k${at}`);
  const arrays = key.map((column, at) => `$${at + 5}::${column.sqlType}[]`);
  const match = key.map((column, at) => `seen.${escapeIdentifier(column.name)} = wanted.k${at}`);
  const metadata = tableMetadataSql({ oid: "$2", roles: "$3", transactions: "$4" });
  return `select metadata.*, found.row_number::int as "rowNumber", known.accounts = $1 as "isEveryone",
      case when known.accounts <> $1 then array_send(known.accounts) end as accounts
    from (${metadata}) as metadata
    left join lateral (
      select wanted.row_number, ${authorizer}(selected.seen, $1) as authorized
        from unnest(${arrays.join(", ")}) with ordinality as wanted(${[...names, "row_number"].join(", ")})
        cross join lateral (
          select seen from ${escapeIdentifier(schema)}.${escapeIdentifier(table)} as seen
           where ${match.join(" and ")} offset 0) as selected
       where metadata."isVisible" offset 0) as found on true
    left join lateral (
      select case when found.authorized = $1 then found.authorized
                  else array(select account from unnest(found.authorized) as account
                              where account is not null order by account) end as accounts
      offset 0) as known on true`;
}

const literal = (items: readonly (string | null)[]) => `{${items.map(arrayItem).join(",")}}`;

/** Accounts are sent and received in binary: as text, a thousand of them take longer than the query itself. */
const uuidOid = 2950;
const arrayHeaderBytes = 20;
const uuidLengthHex = "00000010";
/** Hexadecimal digits of an item: its length and the UUID. */
const hexDigitsPerItem = 40;

/** An array of UUIDs as `array_recv` reads it: one dimension, no nulls, the type, the item count, the lower bound. */
function encodeUuidArray(accounts: readonly string[]): Buffer {
  const header = Buffer.alloc(arrayHeaderBytes);
  for (const [at, value] of [1, 0, uuidOid, accounts.length, 1].entries()) {
    header.writeInt32BE(value, at * 4);
  }
  const items = accounts.map((account) => uuidLengthHex + account).join("");
  return Buffer.concat([header, Buffer.from(items, "hex")]);
}

/** The items of an array as `array_send` writes it. */
function decodeUuidArray(array: Buffer): string[] {
  const digits = array.toString("hex", arrayHeaderBytes);
  const count = digits.length / hexDigitsPerItem;
  return Array.from({ length: count }, (_, at) =>
    digits.slice(at * hexDigitsPerItem + uuidLengthHex.length, (at + 1) * hexDigitsPerItem),
  );
}

/** The distinct accounts of the identities, sorted. An account may be subscribed with several tokens. */
function accountsOf(identities: readonly SubscriberIdentity[]): Buffer {
  return encodeUuidArray([...new Set(identities.map(({ account = "" }) => account))].toSorted());
}

/** A row of the result. `rowNumber` is null when no row was found, `accounts` when everyone is authorized. */
interface AuthorizerRow extends TableMetadataRow, SnapshotRow {
  rowNumber: number | null;
  isEveryone: boolean | null;
  accounts: Buffer | null;
}

/** Visibility by account, with a bit for each row. */
function rowVisibilityOf(rows: readonly AuthorizerRow[]): RowVisibility {
  let everyone = 0;
  const byAccount = new Map<string, number>();
  for (const { rowNumber, isEveryone, accounts } of rows) {
    if (rowNumber === null) continue;
    const bit = 1 << (rowNumber - 1);
    if (isEveryone === true) everyone |= bit;
    for (const one of accounts ? decodeUuidArray(accounts) : []) {
      byAccount.set(one, (byAccount.get(one) ?? 0) | bit);
    }
  }
  return ({ account = "" }, rowIndex) => {
    const bit = 1 << rowIndex;
    return (everyone & bit) !== 0 || ((byAccount.get(account) ?? 0) & bit) !== 0;
  };
}

/** The input of `PolicyAuthorizers.authorize`. */
export interface AuthorizerQuery {
  /** The table, and the roles whose column privileges are returned with it. */
  oid: number;
  roles: readonly string[];
  keys: RowKeys;
  /** Name of the function, with its schema. */
  authorizer: string;
  identities: readonly SubscriberIdentity[];
  /** The transactions that wrote the rows. */
  transactions: readonly number[];
}

/** The visibility of the rows, and the table's metadata in the same snapshot. */
export interface AuthorizerResult {
  metadata: TableMetadataRow;
  isVisible: RowVisibility;
}

/**
 * Calls the authorizers that policies name in their comments: functions `(row, user_ids uuid[]) returns uuid[]` that
 * return the users who may read the row. One query for a batch, regardless of the number of subscribers.
 */
export class PolicyAuthorizers {
  readonly #pool: Pool;
  readonly #log: Logger;
  /** Functions that timed out. */
  readonly #quarantined: Quarantine;
  /** Encoded accounts of each list of identities, which usually repeats. */
  readonly #accounts = new WeakMap<readonly SubscriberIdentity[], Buffer>();
  #client: PoolClient | undefined;

  /** @param pool of the owner: the functions take user ids, so no other role may execute them */
  constructor(pool: Pool, log: Logger, now: () => number) {
    this.#pool = pool;
    this.#log = log;
    this.#quarantined = new Quarantine(now);
  }

  /** True when the number of rows is small enough. */
  static canAnswer({ rows }: RowKeys): boolean {
    return rows.length <= maxRows;
  }

  /**
   * Waits until the rows are visible and returns who can see which of them.
   * @returns undefined when the function fails or timed out recently, or the table no longer exists
   * @throws when the database cannot be queried
   */
  async authorize(query: AuthorizerQuery): Promise<AuthorizerResult | undefined> {
    const { oid, roles, keys, authorizer, identities, transactions } = query;
    if (this.#quarantined.has(authorizer)) return undefined;
    const text = authorizerSql(keys, authorizer);
    const name = `authorizer_${hash("sha256", text, "hex").slice(0, 40)}`;
    const columns = keys.key.map((_, at) => literal(keys.rows.map((row) => row[at] ?? null)));
    const accounts = this.#accounts.get(identities) ?? accountsOf(identities);
    this.#accounts.set(identities, accounts);
    try {
      const client = (this.#client ??= await this.#connect());
      const values = [accounts, oid, roles, transactions, ...columns];
      const rows = await retryUntilVisible(
        async () => (await client.query<AuthorizerRow>({ name, text, values })).rows,
      );
      const [metadata] = rows;
      return metadata && { metadata, isVisible: rowVisibilityOf(rows) };
    } catch (error) {
      this.release();
      if (!isSubscriberError(error)) throw error;
      if (isTimeout(error)) this.#quarantined.add(authorizer);
      this.#log.warn({ err: error, table: keys.table, authorizer }, "a policy's authorizer failed");
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
      // A generic plan is made once: planning the query takes longer than running it.
      await client.query(
        `set statement_timeout = ${timeoutMs}; set jit = off; set plan_cache_mode = force_generic_plan`,
      );
    } catch (error) {
      client.release(true);
      throw error;
    }
    return client;
  }
}
