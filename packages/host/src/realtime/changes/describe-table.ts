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
}

/** What holds for a table now, asked anew for every batch of changes so that a revoked right counts at once. */
export interface TableFacts {
  isGuarded: boolean;
  columns: readonly TableColumn[];
  /** Those of the primary key. */
  key: readonly TableColumn[];
  /** Names of the columns each of the roles may select. */
  selectable: ReadonlyMap<string, ReadonlySet<string>>;
  /** Roles that may select the whole key; the others are told so, and row-level security is not asked. */
  keyReaders: ReadonlySet<string>;
  /** By role, the function that its only policy for reading names as saying the same for many accounts at once. */
  readers: ReadonlyMap<string, string>;
}

const GIVE_UP_MS = 30_000;
/** How often it is asked again at once; from then on with a rest, for a host that commits slowly. */
const ASKED_AT_ONCE = 10;
const REST_MS = 1;

/** An answer of Postgres about a table, as `factsSql` asks for it. */
export interface FactRow {
  guarded: boolean;
  /** JSON, as it came: it is read only when it is another than before. */
  columns: string | null;
  readers: string | null;
}

/** An answer that counts only where `visible` says so. */
export interface Sighted {
  /** Whether the transactions asked about could be seen by whoever gave the answer. */
  visible: boolean;
}

/** What stands for the values of a question in its text, such as `$1`. */
export interface FactParameters {
  oid: string;
  roles: string;
  transactions: string;
}

/**
 * SQL that is true once all of these transactions (a bigint[]) can be seen. Ids in the log have 32 bits; each
 * stands for the 64-bit one nearest to the present.
 */
function visibleSql(transactions: string): string {
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
const namedReadersSql = (roles: string) => `(
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
      ) as note on note.name is not null
      join lateral (
        select to_regprocedure(format('%s(%s, uuid[])', note.name, c.oid::regclass))::oid as id offset 0
      ) as named on true
      join pg_proc f on f.oid = named.id and f.prorettype = 'uuid[]'::regtype
     where not pg_has_role(r.oid, c.relowner, 'usage')
       and has_schema_privilege(r.oid, c.relnamespace, 'usage')
       and has_schema_privilege(f.pronamespace, 'usage') and has_function_privilege(f.oid, 'execute')
       and has_table_privilege(c.oid, 'select'))`;

/** SQL of one row, `FactRow` and `Sighted`; of none when there is no such table. */
export function factsSql({ oid, roles, transactions }: FactParameters): string {
  return `
  select ${visibleSql(transactions)} as visible, c.relrowsecurity as guarded, ${namedReadersSql(roles)}::text as readers, (
    select json_agg(json_build_object(
        'name', a.attname, 'typeName', (select t.typname from pg_type t where t.oid = a.atttypid),
        'sqlType', format_type(a.atttypid, null), 'isKey', coalesce(a.attnum = any(k.conkey), false),
        'roles', (select json_agg(r.role_name) from unnest(${roles}::text[]) as r(role_name)
                   where has_column_privilege(r.role_name, c.oid, a.attnum, 'select')))
      order by a.attnum)
      from pg_attribute a
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns
    from pg_class c where c.oid = ${oid}`;
}

const FACTS = factsSql({ oid: "$1", roles: "$2", transactions: "$3" });

/**
 * Asks until the answer is of a moment in which the transactions asked about can be seen; no rows are an answer
 * too. The log tells of a commit as soon as it is written, a moment before the rows it left can be read; a policy
 * asked too soon would judge those before. Mostly the one who commits only waits for a processor.
 * @throws when they do not become visible for seconds
 */
export async function onceVisible<Row extends Sighted>(
  ask: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (let asked = 1; ; asked += 1) {
    const rows = await ask();
    if (rows[0]?.visible !== false) return rows;
    if (Date.now() > deadline) throw new Error("A committed transaction does not become visible.");
    if (asked >= ASKED_AT_ONCE) await wait(REST_MS);
  }
}

function factsOf(row: FactRow, roles: readonly string[]): TableFacts {
  type Column = TableColumn & { isKey: boolean; roles: string[] | null };
  const columns = JSON.parse(row.columns ?? "[]") as Column[];
  const key = columns.filter(({ isKey }) => isKey);
  const selectable = new Map(
    roles.map((role) => [
      role,
      new Set(columns.flatMap((column) => (column.roles?.includes(role) ? [column.name] : []))),
    ]),
  );
  const keyReaders = new Set(
    roles.filter((role) => key.every((column) => column.roles?.includes(role) === true)),
  );
  const readers = new Map(
    Object.entries(JSON.parse(row.readers ?? "{}") as Record<string, string>),
  );
  return { isGuarded: row.guarded, columns, key, selectable, keyReaders, readers };
}

async function readFacts(
  db: Queryable,
  oid: number,
  roles: readonly string[],
  transactions: readonly number[],
): Promise<FactRow | undefined> {
  const question = {
    name: "realtime-table-facts",
    text: FACTS,
    values: [oid, roles, transactions],
  };
  const rows = await onceVisible(async () => (await db.query<FactRow & Sighted>(question)).rows);
  return rows[0];
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
   * Asks once these transactions are visible to others.
   * @returns undefined when the table is gone
   * @throws when a transaction does not become visible for seconds
   */
  async describe(
    oid: number,
    roles: readonly string[],
    transactions: readonly number[],
  ): Promise<TableFacts | undefined> {
    const row = await readFacts(this.#db, oid, roles, transactions);
    if (row !== undefined) return this.note(oid, roles, row);
    this.#last.delete(oid);
    return undefined;
  }

  /** Takes note of what Postgres said of a table. */
  note(oid: number, roles: readonly string[], { guarded, columns, readers }: FactRow): TableFacts {
    const row = { guarded, columns, readers };
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
