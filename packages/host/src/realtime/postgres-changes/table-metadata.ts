// Reads what delivery of a table's changes depends on from the system catalogs: columns, key, privileges, comments.

import { setTimeout as wait } from "node:timers/promises";
import type { Queryable } from "../../postgres/database.ts";
import type { TableMetadataRow } from "./change-decision.ts";
import type { WalRelation } from "./pgoutput.ts";

/** One column of a table. */
export interface TableColumn {
  name: string;
  /** Name in pg_type, such as `int4`. Clients convert values by it. */
  typeName: string;
  /**
   * Type below all domains, as `format_type` writes it for no modifier: `bpchar` and `"bit"` rather than `character` and
   * `bit`, which as casts mean a length of 1. Safe to put into a statement.
   */
  sqlType: string;
}

/** Columns and privileges of a table. Read again for every batch of changes, so that a revoked grant counts at once. */
export interface TableMetadata {
  hasRowSecurity: boolean;
  columns: readonly TableColumn[];
  /** The primary key's columns. */
  key: readonly TableColumn[];
  /** By role, the names of the columns it may select. */
  selectable: ReadonlyMap<string, ReadonlySet<string>>;
  /** Roles that may select the whole key. The others receive an error instead of the row. */
  rolesReadingKey: ReadonlySet<string>;
  /** By role, the authorizer that its only select policy names in its comment. */
  authorizers: ReadonlyMap<string, string>;
  /** The column whose account alone is notified of a deleted row, as the table's comment names it (`@deletes_reach`). */
  deletesReach: string | null;
}

/** How long a committed transaction may take to become visible. */
const visibilityTimeoutMs = 30_000;
/** Retries without a pause; later ones pause for `retryDelayMs`. */
const immediateRetries = 10;
const retryDelayMs = 1;

/** A row that counts only if the transactions in question were visible to its snapshot. */
export interface SnapshotRow {
  isVisible: boolean;
}

/** Placeholders in the SQL text, such as `$1`. */
export interface TableMetadataParameters {
  oid: string;
  roles: string;
  transactions: string;
}

/**
 * SQL that is true once all of these transactions (a bigint[]) are visible. Ids in the log have 32 bits; each
 * stands for the nearest 64-bit id.
 */
function transactionsVisibleSql(transactions: string): string {
  return `(
    select coalesce(bool_and(pg_visible_in_snapshot(
        (newest - (((newest - id + 2147483648) & 4294967295) - 2147483648))::text::xid8, snapshot)), true)
      from (select s as snapshot, pg_snapshot_xmax(s)::text::bigint as newest from pg_current_snapshot() as s) as now,
           unnest(${transactions}::bigint[]) as id)`;
}

/**
 * SQL for a JSON object from role to authorizer. A role has an authorizer only if exactly one permissive policy
 * applies to its selects and the comment of that policy names a function; a second policy disables it.
 */
const authorizersSql = (roles: string) => `(
    select json_object_agg(r.rolname, format('%s.%I', f.pronamespace::regnamespace, f.proname))
      from (select oid, rolname from pg_roles
             where rolname = any(${roles}) and not (rolsuper or rolbypassrls) offset 0) as r
      join lateral (
        select case when count(*) = 1 and bool_and(p.polpermissive) then
                 min(substring(d.description from '@authorizer ((?:[[:alnum:]_]+[.])?[[:alnum:]_]+)')) end as name
          from pg_policy p
          left join pg_description d on d.objoid = p.oid and d.classoid = 'pg_policy'::regclass
         where p.polrelid = c.oid and p.polcmd in ('r', '*')
           and exists (select from unnest(p.polroles) as q(id)
                        where case when q.id = 0 then true else pg_has_role(r.oid, q.id, 'usage') end)
      ) as annotation on annotation.name is not null
      join lateral (
        select to_regprocedure(format('%s(%s, uuid[])', annotation.name, c.oid::regclass))::oid as id offset 0
      ) as named on true
      join pg_proc f on f.oid = named.id and f.prorettype = 'uuid[]'::regtype
     where not pg_has_role(r.oid, c.relowner, 'usage')
       and has_schema_privilege(r.oid, c.relnamespace, 'usage')
       and has_schema_privilege(f.pronamespace, 'usage') and has_function_privilege(f.oid, 'execute')
       and has_table_privilege(c.oid, 'select'))`;

/** SQL for one `TableMetadataRow` and `SnapshotRow`, or none when the table does not exist. */
export function tableMetadataSql({ oid, roles, transactions }: TableMetadataParameters): string {
  return `
  select ${transactionsVisibleSql(transactions)} as "isVisible", c.relrowsecurity as "hasRowSecurity",
    ${authorizersSql(roles)}::text as authorizers,
    substring(obj_description(c.oid, 'pg_class') from '@deletes_reach ([[:alnum:]_]+)') as "deletesReach", (
    select json_agg(json_build_object(
        'name', a.attname, 'typeName', (select t.typname from pg_type t where t.oid = a.atttypid),
        'sqlType', (
          with recursive chain as (
            select t.oid, t.typbasetype from pg_type t where t.oid = a.atttypid
            union all
            select b.oid, b.typbasetype from chain join pg_type b on b.oid = chain.typbasetype
          ) select format_type(oid, -1) from chain where typbasetype = 0), 'isKey', coalesce(a.attnum = any(k.conkey), false),
        'roles', (select json_agg(r.role_name) from unnest(${roles}::text[]) as r(role_name)
                   where has_column_privilege(r.role_name, c.oid, a.attnum, 'select')))
      order by a.attnum)
      from pg_attribute a
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
    from pg_class c where c.oid = ${oid}`;
}

const metadataSql = tableMetadataSql({ oid: "$1", roles: "$2", transactions: "$3" });

/**
 * Repeats a query until its snapshot sees the transactions in question; a result without rows is final. The log
 * carries a commit a moment before its rows are visible to other sessions, and a policy evaluated too early would
 * see the old rows.
 * @throws when the transactions stay invisible for 30 seconds
 */
export async function retryUntilVisible<Row extends SnapshotRow>(
  query: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const deadline = performance.now() + visibilityTimeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    const rows = await query();
    if (rows[0]?.isVisible !== false) return rows;
    if (performance.now() > deadline)
      throw new Error("A committed transaction does not become visible.");
    if (attempt >= immediateRetries) await wait(retryDelayMs);
  }
}

function metadataOf(row: TableMetadataRow, roles: readonly string[]): TableMetadata {
  type Column = TableColumn & { isKey: boolean; roles: string[] | null };
  const columns = JSON.parse(row.columns ?? "[]") as Column[];
  const key = columns.filter(({ isKey }) => isKey);
  const selectable = new Map(
    roles.map((role) => [
      role,
      new Set(columns.flatMap((column) => (column.roles?.includes(role) ? [column.name] : []))),
    ]),
  );
  const rolesReadingKey = new Set(
    roles.filter((role) => key.every((column) => column.roles?.includes(role) === true)),
  );
  const authorizers = new Map(
    Object.entries(JSON.parse(row.authorizers ?? "{}") as Record<string, string>),
  );
  return {
    hasRowSecurity: row.hasRowSecurity,
    columns,
    key,
    selectable,
    rolesReadingKey,
    authorizers,
    deletesReach: row.deletesReach,
  };
}

async function queryMetadata(
  db: Queryable,
  oid: number,
  roles: readonly string[],
  transactions: readonly number[],
): Promise<TableMetadataRow | undefined> {
  const statement = {
    name: "realtime-table-metadata",
    text: metadataSql,
    values: [oid, roles, transactions],
  };
  const rows = await retryUntilVisible(
    async () => (await db.query<TableMetadataRow & SnapshotRow>(statement)).rows,
  );
  return rows[0];
}

/** @returns undefined when the table does not exist */
export async function readTableMetadata(
  db: Queryable,
  oid: number,
  roles: readonly string[],
): Promise<TableMetadata | undefined> {
  const row = await queryMetadata(db, oid, roles, []);
  return row && metadataOf(row, roles);
}

/** The latest metadata of each table. The object stays the same until the metadata changes. */
export class TableMetadataCache {
  readonly #db: Queryable;
  readonly #last = new Map<
    number,
    {
      text: string;
      row: TableMetadataRow;
      /** What it was made of. */
      source: TableMetadataRow;
      roles: readonly string[];
      metadata: TableMetadata;
    }
  >();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** The metadata as last read. */
  cached(oid: number): TableMetadata | undefined {
    return this.#last.get(oid)?.metadata;
  }

  /** The same as the database answered it. */
  cachedRow(oid: number): TableMetadataRow | undefined {
    return this.#last.get(oid)?.row;
  }

  /**
   * Reads the metadata once these transactions are visible to other sessions.
   * @returns undefined when the table no longer exists
   * @throws when the transactions stay invisible for 30 seconds
   */
  async refresh(
    oid: number,
    roles: readonly string[],
    transactions: readonly number[],
  ): Promise<TableMetadata | undefined> {
    const row = await queryMetadata(this.#db, oid, roles, transactions);
    if (row !== undefined) return this.store(oid, roles, row);
    this.#last.delete(oid);
    return undefined;
  }

  /** Stores a row of `tableMetadataSql`. */
  store(oid: number, roles: readonly string[], source: TableMetadataRow): TableMetadata {
    const last = this.#last.get(oid);
    if (last?.source === source && last.roles === roles) return last.metadata;
    const { hasRowSecurity, columns, authorizers, deletesReach } = source;
    const row = { hasRowSecurity, columns, authorizers, deletesReach };
    const text = JSON.stringify([row, roles]);
    const metadata = last?.text === text ? last.metadata : metadataOf(row, roles);
    this.#last.set(oid, { text, row, source, roles, metadata });
    return metadata;
  }
}

/** Position of each column in the log's tuples, by name. */
export function positionsIn(relation: WalRelation): ReadonlyMap<string, number> {
  return new Map(relation.columns.map((column, at) => [column.name, at]));
}
