import { setTimeout as wait } from "node:timers/promises";
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
  /** By role, the function that its only policy for reading names as saying the same for many accounts at once. */
  readers: ReadonlyMap<string, string>;
}

const GIVE_UP_MS = 30_000;

interface FactRow {
  visible: boolean;
  guarded: boolean;
  /** JSON, as it came: it is read only when it is another than before. */
  columns: string | null;
  readers: string | null;
}

/**
 * SQL that is true once all of these transactions (a bigint[]) can be seen. Ids in the log have 32 bits; each
 * stands for the 64-bit one nearest to the present.
 */
export function visibleSql(transactions: string): string {
  return `(
    select coalesce(bool_and(pg_visible_in_snapshot(
        (newest - (((newest - id + 2147483648) & 4294967295) - 2147483648))::text::xid8, snapshot)), true)
      from (select s as snapshot, pg_snapshot_xmax(s)::text::bigint as newest from pg_current_snapshot() as s) as now,
           unnest(${transactions}::bigint[]) as id)`;
}

/**
 * Only where one policy alone decides for a role, and says so itself: the note goes with the policy, and one
 * more policy puts it out of force.
 */
const READERS = `(
    select json_object_agg(r.rolname, format('%s.%I', f.pronamespace::regnamespace, f.proname))
      from (select oid, rolname from pg_roles
             where rolname = any($2) and not (rolsuper or rolbypassrls) offset 0) as r
      join lateral (
        select case when count(*) = 1 and bool_and(p.polpermissive) then
                 min(substring(d.description from '@readers ((?:[[:alnum:]_]+[.])?[[:alnum:]_]+)')) end as name
          from pg_policy p
          left join pg_description d on d.objoid = p.oid and d.classoid = 'pg_policy'::regclass
         where p.polrelid = c.oid and p.polcmd in ('r', '*')
           and exists (select from unnest(p.polroles) as q(id)
                        where case when q.id = 0 then true else pg_has_role(r.oid, q.id, 'usage') end)
      ) as note on note.name is not null
      join lateral (
        select to_regprocedure(format('%s(%s, uuid[])', note.name, c.oid::regclass))::oid as id offset 0
      ) as named on true
      join pg_proc f on f.oid = named.id and f.prorettype = 'uuid[]'::regtype
     where not pg_has_role(r.oid, c.relowner, 'usage')
       and has_schema_privilege(r.oid, c.relnamespace, 'usage')
       and has_schema_privilege(f.pronamespace, 'usage') and has_function_privilege(f.oid, 'execute')
       and has_table_privilege(c.oid, 'select'))`;

const FACTS = `
  select ${visibleSql("$3")} as visible, c.relrowsecurity as guarded, ${READERS}::text as readers, (
    select json_agg(json_build_object(
        'name', a.attname, 'typeName', (select t.typname from pg_type t where t.oid = a.atttypid),
        'sqlType', format_type(a.atttypid, null), 'isKey', coalesce(a.attnum = any(k.conkey), false),
        'roles', (select json_agg(r.role_name) from unnest($2::text[]) as r(role_name)
                   where has_column_privilege(r.role_name, c.oid, a.attnum, 'select')))
      order by a.attnum)
      from pg_attribute a
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
    from pg_class c where c.oid = $1`;

function factsOf(row: FactRow, roles: readonly string[]): TableFacts {
  type Column = TableColumn & { roles: string[] | null };
  const columns = JSON.parse(row.columns ?? "[]") as Column[];
  const selectable = new Map(
    roles.map((role) => [
      role,
      new Set(columns.flatMap((column) => (column.roles?.includes(role) ? [column.name] : []))),
    ]),
  );
  const readers = JSON.parse(row.readers ?? "{}") as Record<string, string>;
  return { isGuarded: row.guarded, columns, selectable, readers: new Map(Object.entries(readers)) };
}

async function readFacts(
  db: Queryable,
  oid: number,
  roles: readonly string[],
  transactions: readonly number[],
): Promise<FactRow | undefined> {
  const values = [oid, roles, transactions];
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const { rows } = await db.query<FactRow>({ name: "realtime-table-facts", text: FACTS, values });
    const [row] = rows;
    if (row === undefined || row.visible) return row;
    if (Date.now() > deadline) throw new Error("A committed transaction does not become visible.");
    await wait(1);
  }
}

/** @returns undefined when there is no such table */
export async function describeTable(
  db: Queryable,
  oid: number,
  roles: readonly string[],
): Promise<TableFacts | undefined> {
  const row = await readFacts(db, oid, roles, []);
  return row && factsOf(row, roles);
}

/** What holds for the tables whose changes are told. Facts stay the same object until they change. */
export class Tables {
  readonly #db: Queryable;
  readonly #last = new Map<number, { text: string; facts: TableFacts }>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** What held when last asked. */
  last(oid: number): TableFacts | undefined {
    return this.#last.get(oid)?.facts;
  }

  /**
   * Asks once these transactions are visible to others. The log tells of a commit as soon as it is written, a
   * moment before the row it left can be read; a policy asked too soon would judge the one before.
   * @returns undefined when the table is gone
   * @throws when a transaction does not become visible for seconds
   */
  async describe(
    oid: number,
    roles: readonly string[],
    transactions: readonly number[],
  ): Promise<TableFacts | undefined> {
    const row = await readFacts(this.#db, oid, roles, transactions);
    if (row === undefined) {
      this.#last.delete(oid);
      return undefined;
    }
    const text = JSON.stringify([row, roles]);
    const last = this.#last.get(oid);
    if (last?.text === text) return last.facts;
    const facts = factsOf(row, roles);
    this.#last.set(oid, { text, facts });
    return facts;
  }
}

/** Where each column of the table stands in the log's tuples. */
export function positionsIn(relation: Relation): ReadonlyMap<string, number> {
  return new Map(relation.columns.map((column, at) => [column.name, at]));
}
