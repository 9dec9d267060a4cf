// Generates the SQL that finds out which rows each subscriber may select, as its own role with its own claims.

import pg from "pg";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import { arrayItem, newDollarQuote } from "./sql-literals.ts";
import type { TableColumn } from "./table-metadata.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** Rows to select, by primary key. */
export interface RowKeys {
  schema: string;
  table: string;
  key: readonly TableColumn[];
  /** One list of key values for each row, in the order of `key`. */
  rows: readonly (readonly (string | null)[])[];
}

/** Whether an identity of the query can see the row at this index of the query. */
export type RowVisibility = (identity: SubscriberIdentity, rowIndex: number) => boolean;

const { escapeIdentifier } = pg;

/** Claims as an item of an array literal, cached because every query repeats them. */
const claimItems = new WeakMap<SubscriberIdentity, string>();

function claimItem(identity: SubscriberIdentity): string {
  const item = claimItems.get(identity) ?? arrayItem(identity.claims);
  claimItems.set(identity, item);
  return item;
}

/** Selects all rows in one statement; an error fails the whole query. */
function selectAllRows(keys: RowKeys, table: string): string {
  const names = keys.key.map((_, at) => `k${at}`);
  const arrays = names.map((name) => `${name}s`).join(", ");
  const match = keys.key.map(
    (column, at) => `seen.${escapeIdentifier(column.name)} = wanted.k${at}`,
  );
  return `select coalesce(string_agg(wanted.place::text, ','), '') into hits
        from unnest(${arrays}) with ordinality as wanted(${[...names, "place"].join(", ")})
       where exists (select from ${table} as seen where ${match.join(" and ")});`;
}

/** Selects one row after the other; an error hides that row from that identity only. */
function selectRowByRow(keys: RowKeys, table: string): string {
  const match = keys.key.map(
    (column, at) => `seen.${escapeIdentifier(column.name)} = k${at}s[place]`,
  );
  return `hits := '';
        for place in 1 .. ${keys.rows.length} loop
          begin
            perform from ${table} as seen where ${match.join(" and ")};
            if found then hits := hits || place::text || ','; end if;
          exception when others then
            if sqlstate in ('${sqlStates.queryCanceled}', '${sqlStates.lockNotAvailable}') then raise; end if;
          end;
        end loop;`;
}

/**
 * Evaluates row-level security for each identity in one round trip and one transaction. The plan is made once
 * for each role and run with the claims of each identity. Identities must be sorted by role. The result is one
 * row with one column, `visibility`: for each identity the numbers (from 1) of the rows it sees, as `1,3;;2`.
 *
 * A single join over all claims is not possible: policies wrap their calls as `(select auth.uid())`, which
 * Postgres evaluates once for each statement, so each identity needs a statement of its own.
 */
export function rlsQuery(
  keys: RowKeys,
  identities: readonly SubscriberIdentity[],
  { isRowByRow, timeoutMs }: { isRowByRow: boolean; timeoutMs: number },
): string {
  const [block, quote] = [newDollarQuote(), newDollarQuote()];
  // An array literal. Postgres converts it to the type of the variable.
  const array = (items: readonly string[]) => `${quote}{${items.join(",")}}${quote}`;
  const table = `${escapeIdentifier(keys.schema)}.${escapeIdentifier(keys.table)}`;
  const arrays = keys.key.map((column, at) => {
    const values = array(keys.rows.map((row) => arrayItem(row[at] ?? null)));
    return `k${at}s constant ${column.sqlType}[] := ${values};`;
  });
  return `select set_config('statement_timeout', '${Math.ceil(timeoutMs)}', true),
      set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true);
    do ${block}
    declare
      ${arrays.join("\n      ")}
      roles constant text[] := ${array(identities.map((identity) => arrayItem(identity.role)))};
      claims constant text[] := ${array(identities.map(claimItem))};
      hits text;
      answers text[] := '{}';
      role_now text := '';
    begin
      for subscriber in 1 .. ${identities.length} loop
        if roles[subscriber] <> role_now then
          role_now := roles[subscriber];
          perform pg_catalog.set_config('role', role_now, true);
        end if;
        perform pg_catalog.set_config('request.jwt.claims', claims[subscriber], true);
        ${isRowByRow ? selectRowByRow(keys, table) : selectAllRows(keys, table)}
        answers[subscriber] := hits;
      end loop;
      perform pg_catalog.set_config('realtime.visibility', pg_catalog.array_to_string(answers, ';'), true);
    end
    ${block};
    select current_setting('realtime.visibility') as visibility`;
}
