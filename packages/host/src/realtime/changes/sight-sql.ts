import pg from "pg";
import type { TableColumn } from "./describe-table.ts";
import { arrayItem, newQuote } from "./literals.ts";

/** Whose sight is asked for: everybody with these claims sees the same. */
export interface SubscriberIdentity {
  role: string;
  /** The claims as JSON, as `request.jwt.claims` holds them. */
  claims: string;
  /** Role and claims in one, made once: viewers of the same key see the same. */
  key: string;
  /** Account behind the claims; empty for none. */
  subject: string;
  /** The account as the hexadecimal digits of its UUID; undefined where the subject is none. */
  account: string | undefined;
}

/** Rows to look for, by primary key. */
export interface RowKeys {
  schema: string;
  table: string;
  key: readonly TableColumn[];
  /** One list of key values for each row, in the order of `key`. */
  rows: readonly (readonly (string | null)[])[];
}

/** Whether one of the viewers asked about sees the row at this place (from 0) among those asked about. */
export type Sight = (viewer: SubscriberIdentity, place: number) => boolean;

const { escapeIdentifier } = pg;

/** Claims as an item of an array literal, made once: they stand in every question about their viewer. */
const claimItems = new WeakMap<SubscriberIdentity, string>();

function claimItem(viewer: SubscriberIdentity): string {
  const item = claimItems.get(viewer) ?? arrayItem(viewer.claims);
  claimItems.set(viewer, item);
  return item;
}

/** Looks for all rows at once; an error is everybody's. */
function lookTogether(keys: RowKeys, table: string): string {
  const names = keys.key.map((_, at) => `k${at}`);
  const arrays = names.map((name) => `${name}s`).join(", ");
  const match = keys.key.map(
    (column, at) => `seen.${escapeIdentifier(column.name)} = wanted.k${at}`,
  );
  return `select coalesce(string_agg(wanted.place::text, ','), '') into hits
        from unnest(${arrays}) with ordinality as wanted(${[...names, "place"].join(", ")})
       where exists (select from ${table} as seen where ${match.join(" and ")});`;
}

/** Looks for one row after the other; an error hides that row from that viewer and does nothing else. */
function lookCarefully(keys: RowKeys, table: string): string {
  const match = keys.key.map(
    (column, at) => `seen.${escapeIdentifier(column.name)} = k${at}s[place]`,
  );
  return `hits := '';
        for place in 1 .. ${keys.rows.length} loop
          begin
            perform from ${table} as seen where ${match.join(" and ")};
            if found then hits := hits || place::text || ','; end if;
          exception when others then
            if sqlstate in ('57014', '55P03') then raise; end if;
          end;
        end loop;`;
}

/**
 * One round trip and one transaction that asks row-level security for every viewer: the plan is made once
 * a role and run with each viewer's claims in turn. Viewers must come sorted by role. The answer is one
 * row, `sight`: for each viewer the places of the rows it sees, as `1,3;;2`.
 *
 * Why not one join over all claims: policies wrap their calls as `(select auth.uid())`, which Postgres
 * evaluates once a statement, so each viewer needs a statement (not a round trip, nor a plan) of its own.
 */
export function sightSql(
  keys: RowKeys,
  viewers: readonly SubscriberIdentity[],
  { isCareful, timeoutMs }: { isCareful: boolean; timeoutMs: number },
): string {
  const [block, quote] = [newQuote(), newQuote()];
  // An array literal; Postgres reads it with the type it is given to.
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
      roles constant text[] := ${array(viewers.map((viewer) => arrayItem(viewer.role)))};
      claims constant text[] := ${array(viewers.map(claimItem))};
      hits text;
      answers text[] := '{}';
      role_now text := '';
    begin
      for viewer in 1 .. ${viewers.length} loop
        if roles[viewer] <> role_now then
          role_now := roles[viewer];
          perform pg_catalog.set_config('role', role_now, true);
        end if;
        perform pg_catalog.set_config('request.jwt.claims', claims[viewer], true);
        ${isCareful ? lookCarefully(keys, table) : lookTogether(keys, table)}
        answers[viewer] := hits;
      end loop;
      perform pg_catalog.set_config('realtime.sight', pg_catalog.array_to_string(answers, ';'), true);
    end
    ${block};
    select current_setting('realtime.sight') as sight`;
}
