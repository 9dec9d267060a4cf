import type { Queryable } from "../../postgres/database.ts";
import type { Relation } from "./pgoutput.ts";

/** One column as subscribers are told of it. */
export interface TableColumn {
  name: string;
  /** Name in pg_type, such as `int4`; what the client converts by. */
  typeName: string;
  /** Type as SQL writes it, without length limits; safe to put into a statement. */
  sqlType: string;
  isKey: boolean;
}

/** What holds for a table now, asked anew for every batch of changes so that a revoked right counts at once. */
export interface TableFacts {
  isGuarded: boolean;
  columns: readonly TableColumn[];
  /** Names of the columns each of the roles may select. */
  selectable: ReadonlyMap<string, ReadonlySet<string>>;
}

interface FactRow {
  guarded: boolean;
  columns: (TableColumn & { roles: string[] | null })[] | null;
}

const FACTS = `
  select c.relrowsecurity as guarded, (
    select json_agg(json_build_object(
        'name', a.attname, 'typeName', t.typname, 'sqlType', format_type(a.atttypid, null),
        'isKey', coalesce(a.attnum = any(k.conkey), false),
        'roles', (select json_agg(r.role_name) from unnest($2::text[]) as r(role_name)
                   where has_column_privilege(r.role_name, c.oid, a.attnum, 'select')))
      order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
    from pg_class c where c.oid = $1`;

/** Undefined when the table is gone. */
export async function describeTable(
  db: Queryable,
  oid: number,
  roles: readonly string[],
): Promise<TableFacts | undefined> {
  const { rows } = await db.query<FactRow>({
    name: "realtime-table-facts",
    text: FACTS,
    values: [oid, roles],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const columns = row.columns ?? [];
  const selectable = new Map(
    roles.map((role) => [
      role,
      new Set(columns.flatMap((column) => (column.roles?.includes(role) ? [column.name] : []))),
    ]),
  );
  return { isGuarded: row.guarded, columns, selectable };
}

/** Where each column of the table stands in the log's tuples. */
export function positionsIn(relation: Relation): ReadonlyMap<string, number> {
  return new Map(relation.columns.map((column, at) => [column.name, at]));
}
