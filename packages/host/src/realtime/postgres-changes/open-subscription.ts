// Validates one `postgres_changes` entry of a join and makes a subscription of it.

import { crc32 } from "node:zlib";
import type { Pool } from "pg";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import { readTableMetadata } from "./table-metadata.ts";
import type { FilterCompiler } from "./filter-compiler.ts";
import { FilterError } from "./filter-conditions.ts";
import type { Subscriber, ChangesSubscription } from "./subscription.ts";

/** An invalid `postgres_changes` entry. `message` is sent to the client. */
export class SubscriptionError extends Error {
  override readonly name = "SubscriptionError";
}

/** The caller of a subscription, and how it queries the database. */
export interface SubscriptionContext {
  db: Pool;
  caller: RealtimeCaller;
  filterCompiler: FilterCompiler;
  /** Runs a query in its caller's turn. */
  runQueued: <T>(work: () => Promise<T>) => Promise<T>;
}

const publishedTablesSql = `select format('%I.%I', schemaname, tablename)::regclass::oid::int8::text as oid
  from pg_publication_tables where pubname = 'supabase_realtime'
   and ($1 = '*' or schemaname = $1) and ($2 = '*' or tablename = $2)`;
const eventTypes = new Set(["INSERT", "UPDATE", "DELETE"]);

/** The id of an entry: the same for the same parameters, on every host. */
export function subscriptionId(params: Readonly<Record<string, unknown>>): number {
  return crc32(JSON.stringify(params)) & 0x7fff_ffff;
}

function describeParams(params: Readonly<Record<string, unknown>>): string {
  const { event, schema, table, filter, select } = params;
  return Object.entries({ event, schema, table, filter, select })
    .map(([name, value]) => `${name}: ${JSON.stringify(value) ?? "nil"}`)
    .join(", ");
}

function readSelect(value: unknown): ReadonlySet<string> | undefined {
  if (typeof value === "string") {
    throw new SubscriptionError(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    );
  }
  const names = Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
  return names.length === 0 ? undefined : new Set(names);
}

/**
 * Checks one `postgres_changes` entry against publication, columns and privileges.
 * @throws {SubscriptionError}
 */
export async function openSubscription(
  { db, caller, filterCompiler, runQueued }: SubscriptionContext,
  subscriber: Subscriber,
  params: Readonly<Record<string, unknown>>,
): Promise<ChangesSubscription> {
  const { event, schema, table, filter } = params;
  if (typeof schema !== "string" && typeof table !== "string") {
    throw new SubscriptionError(
      "No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: %{}",
    );
  }
  const wanted = typeof event === "string" ? event.toUpperCase() : "*";
  const select = readSelect(params["select"]);
  const subscription: ChangesSubscription = {
    id: subscriptionId(params),
    subscriber,
    event: eventTypes.has(wanted) ? (wanted as "INSERT" | "UPDATE" | "DELETE") : "*",
    schema: typeof schema === "string" ? schema : "public",
    table: typeof table === "string" ? table : "*",
    filter: undefined,
    select,
    view: [...(select ?? [])].toSorted().join("\0"),
  };
  const hasWildcard = subscription.schema === "*" || subscription.table === "*";
  if (select !== undefined && hasWildcard) {
    throw new SubscriptionError(
      "Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.",
    );
  }
  const { rows } = await runQueued(
    async () =>
      await db.query<{ oid: string }>({
        name: "realtime-published",
        text: publishedTablesSql,
        values: [subscription.schema, subscription.table],
      }),
  );
  if (rows.length === 0) {
    throw new SubscriptionError(
      `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describeParams(params)}]`,
    );
  }
  const text = typeof filter === "string" ? filter : "";
  if (text.trim() === "" && select === undefined) return subscription;
  const { role } = subscriber.identity;
  for (const { oid } of rows) {
    const metadata = await runQueued(async () => await readTableMetadata(db, Number(oid), [role]));
    const allowed = metadata?.selectable.get(role) ?? new Set();
    const columns = metadata?.columns.filter((column) => allowed.has(column.name)) ?? [];
    try {
      subscription.filter = await filterCompiler.compile(text, { oid, columns, caller, runQueued });
      for (const name of select ?? []) {
        if (!allowed.has(name)) throw new FilterError(`invalid column for select ${name}`);
      }
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      throw new SubscriptionError(
        `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describeParams(params)}]. Exception: ${error.message}`,
      );
    }
  }
  return subscription;
}
