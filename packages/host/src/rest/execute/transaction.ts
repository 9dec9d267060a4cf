// Runs the statements of a REST request in one transaction as the caller's role.

import pg from "pg";
import type { PoolClient } from "pg";
import { keepsStatements } from "../../postgres/bounded-pool.ts";
import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import type { ConnectionSource } from "../../postgres/database.ts";
import { responseTooLarge, RestError } from "../errors.ts";
import { Batch, type BatchRows, type BatchStatement } from "./batch.ts";
import { cancelOnAbort } from "./cancel.ts";
import { PreparedStatements } from "./prepared-statements.ts";
import { guardRowSize, RowTooLargeError } from "./row-size-guard.ts";
import { sqlStates } from "../../postgres/sql-states.ts";
import { withSpan } from "../../tracing/with-span.ts";

/** A parameterised statement with its values. */
export interface Statement {
  text: string;
  values: readonly (string | null)[];
}

/** Everything that one request runs in the database. */
export interface Transaction {
  /** Settings of the transaction, in order; the role is one of them. */
  settings: readonly (readonly [name: string, value: string])[];
  /**
   * Transactions share a prepared statement when its text and this key are the same. The key holds the role, because
   * row-level security is part of a plan, and the schema cache's fingerprint, because column types are, too.
   */
  planKey: string;
  readOnly: boolean;
  isolation: string | undefined;
  /** Function that runs as the caller before the main statement; an error it raises ends the request. */
  preRequest: string | undefined;
  main: Statement;
  /** EXPLAIN statement for the planner's estimate of the number of rows. */
  explain: Statement | undefined;
  /** Inspects the row of the main statement and chooses how the transaction ends; rolls back when it throws. */
  beforeCommit: ((row: readonly (string | null)[]) => "commit" | "rollback") | undefined;
  /** Aborted when the client disconnects. A read-only transaction is then cancelled; others run to completion. */
  signal: AbortSignal | undefined;
  /** Most bytes of a row from Postgres; the connection is closed when a row is larger. */
  maxRowBytes: number;
}

/** What a transaction returned. */
export interface TransactionResult {
  /** The row of the main statement; see `resultColumns`. */
  row: readonly (string | null)[];
  /** The JSON that EXPLAIN returned. */
  explained: string | undefined;
}

const isolationLevels = /^(serializable|repeatable read|read committed|read uncommitted)$/;

const prepared = new WeakMap<PoolClient, PreparedStatements>();

/** The prepared statements of a connection. The first call for a connection also installs the row size guard. */
function preparedOn(client: PoolClient, maxRowBytes: number): PreparedStatements {
  const known = prepared.get(client);
  if (known !== undefined) return known;
  guardRowSize(client, maxRowBytes);
  const statements = new PreparedStatements(undefined, keepsStatements(client));
  prepared.set(client, statements);
  return statements;
}

/** The statement that sets the caller's role and the other settings for the rest of the transaction. */
function settingsStatement(transaction: Transaction): BatchStatement {
  const settings = [...transaction.settings];
  if (transaction.readOnly && transaction.preRequest === undefined)
    settings.push(["transaction_read_only", "on"]);
  const calls = settings.map((_, at) => `set_config($${at * 2 + 1}, $${at * 2 + 2}, true)`);
  return { key: "settings", text: `select ${calls.join(", ")}`, values: settings.flat() };
}

/**
 * Calls the pre-request function, and then makes a reading transaction read-only: the function itself may write, so that
 * it can count reads.
 */
function preRequestStatement({ preRequest, planKey, readOnly }: Transaction): BatchStatement[] {
  if (preRequest === undefined) return [];
  const then = readOnly ? `, set_config('transaction_read_only', 'on', true)` : "";
  return [{ key: planKey, text: `select ${preRequest}()${then}`, values: [] }];
}

function beginStatement(transaction: Transaction): BatchStatement[] {
  const level = transaction.isolation;
  if (level === undefined && transaction.beforeCommit === undefined) return [];
  const isolation =
    level !== undefined && isolationLevels.test(level) ? ` isolation level ${level}` : "";
  return [{ text: `begin${isolation}`, values: [] }];
}

async function acquire(pool: ConnectionSource): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    if (error instanceof DatabaseBusyError) {
      throw new RestError(504, "PGRST003", "Timed out acquiring connection from connection pool.", {
        headers: { "retry-after": String(error.retryAfterS) },
      });
    }
    throw new RestError(503, "PGRST000", "Database connection error. Retrying the connection.");
  }
}

/** Errors after which a connection cannot be used again. */
function isFatal(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === "FATAL";
}

async function endTransaction(
  client: PoolClient,
  ending: "commit" | "rollback",
  statements: PreparedStatements,
): Promise<void> {
  const batch = new Batch([{ text: ending, values: [] }], statements);
  client.query(batch);
  await batch.results;
}

/**
 * Runs a transaction in one round trip, or in two when `beforeCommit` or an isolation level needs an explicit BEGIN.
 * @throws {pg.DatabaseError} when a statement fails
 * @throws {RestError} 503 and 504 when there is no usable connection
 */
export async function runTransaction(
  pool: ConnectionSource,
  transaction: Transaction,
): Promise<TransactionResult> {
  return await withSpan("postgres transaction", {}, async (span) => {
    const client = await acquire(pool);
    span.addEvent("connected");
    return await runOn(client, transaction);
  });
}

async function runOn(client: PoolClient, transaction: Transaction): Promise<TransactionResult> {
  const signal = transaction.readOnly ? transaction.signal : undefined;
  if (signal?.aborted === true) {
    client.release();
    throw new RestError(499, sqlStates.queryCanceled, "The client has closed the request");
  }
  const onPrepared = preparedOn(client, transaction.maxRowBytes);
  const begin = beginStatement(transaction);
  const before = [...begin, settingsStatement(transaction), ...preRequestStatement(transaction)];
  const statements: BatchStatement[] = [
    ...before,
    { key: transaction.planKey, ...transaction.main },
    ...(transaction.explain === undefined ? [] : [transaction.explain]),
  ];
  let broken = false;
  const finish = cancelOnAbort(client, signal);
  try {
    const batch = new Batch(statements, onPrepared);
    client.query(batch);
    const results = await batch.results;
    const main: BatchRows = results[before.length] ?? [];
    const explained =
      transaction.explain && results[before.length + 1]?.map(([line]) => line ?? "").join("\n");
    const row = main[0] ?? [];
    if (begin.length > 0)
      await endTransaction(client, transaction.beforeCommit?.(row) ?? "commit", onPrepared);
    return { row, explained };
  } catch (error) {
    broken = !(error instanceof RestError) && isFatal(error);
    if (begin.length > 0 && !broken) {
      await endTransaction(client, "rollback", onPrepared).catch(() => {
        broken = true;
      });
    }
    if (error instanceof RowTooLargeError) throw responseTooLarge();
    if (broken && !(error instanceof pg.DatabaseError) && !(error instanceof RestError)) {
      throw new RestError(503, "PGRST001", "Database client error. Retrying the connection.");
    }
    throw error;
  } finally {
    await finish();
    client.release(broken || onPrepared.isDueForReplacement);
  }
}
