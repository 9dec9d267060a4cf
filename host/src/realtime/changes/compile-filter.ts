import pg from "pg";
import type { Queryable } from "../../postgres/database.ts";
import { positionsIn, type TableColumn, type TableFacts } from "./describe-table.ts";
import { conditionSql, FilterFault, parseFilter, quickCheck, type Condition } from "./filters.ts";
import type { Relation, Tuple } from "./pgoutput.ts";

interface CompiledCondition {
  condition: Condition;
  check: ((value: string | null) => boolean) | undefined;
}

/** A filter that was tried against the types of the columns it names. */
export interface CompiledFilter {
  /** As the client wrote it; the same text over the same table is the same filter. */
  text: string;
  conditions: readonly CompiledCondition[];
}

/** Text as the log has it: Postgres casts true to `true`, but prints it as `t`. */
function asPrinted(column: TableColumn, text: string): string {
  return column.typeName === "bool" ? text.charAt(0) : text;
}

async function compileCondition(
  db: Queryable,
  condition: Condition,
  columns: readonly TableColumn[],
): Promise<CompiledCondition> {
  const column = columns.find((known) => known.name === condition.column);
  if (column === undefined) throw new FilterFault(`invalid column for filter ${condition.column}`);
  const { sql, parameter } = conditionSql(
    condition,
    `$1::text::${column.sqlType}`,
    column.sqlType,
    2,
  );
  try {
    // Running it once tells what Postgres thinks of operator and operand, before any change depends on it.
    await db.query(`select ${sql}`, [null, parameter]);
    if (condition.operator === "match" || condition.operator === "imatch") {
      await db.query("select '' ~ $1::text", [parameter]);
    }
    const { rows } =
      condition.operator === "is"
        ? { rows: [] }
        : await db.query<{ printed: string }>(
            `select v::${column.sqlType}::text as printed from unnest($1::text[]) as v`,
            [condition.values],
          );
    const printed = rows.map((row) => asPrinted(column, row.printed));
    return { condition, check: quickCheck(condition, column.typeName, printed) };
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw new FilterFault(error.message);
    throw error;
  }
}

/**
 * Reads a filter and tries it against the columns its reader may select.
 * @throws {FilterFault}
 */
export async function compileFilter(
  db: Queryable,
  text: string,
  columns: readonly TableColumn[],
): Promise<CompiledFilter | undefined> {
  const conditions = parseFilter(text);
  if (conditions.length === 0) return undefined;
  const compiled: CompiledCondition[] = [];
  for (const condition of conditions) compiled.push(await compileCondition(db, condition, columns));
  return { text, conditions: compiled };
}

/** For each tuple, the texts of the filters it passes. */
export async function passFilters(
  db: Queryable,
  relation: Relation,
  facts: TableFacts,
  tuples: readonly (Tuple | undefined)[],
  filters: readonly CompiledFilter[],
): Promise<ReadonlySet<string>[]> {
  const positions = positionsIn(relation);
  const passed = tuples.map(() => new Set<string>());
  for (const filter of filters) {
    const isQuick = filter.conditions.every((compiled) => compiled.check !== undefined);
    const verdicts = isQuick
      ? tuples.map((tuple) =>
          filter.conditions.every(({ condition, check }) => {
            const value = tuple?.[positions.get(condition.column) ?? -1];
            return value !== undefined && check?.(value) === true;
          }),
        )
      : await askDatabase(db, facts, positions, tuples, filter);
    for (const [at, verdict] of verdicts.entries()) if (verdict) passed[at]?.add(filter.text);
  }
  return passed;
}

async function askDatabase(
  db: Queryable,
  facts: TableFacts,
  positions: ReadonlyMap<string, number>,
  tuples: readonly (Tuple | undefined)[],
  filter: CompiledFilter,
): Promise<boolean[]> {
  const parameters: unknown[] = [];
  const conditions: string[] = [];
  const count = filter.conditions.length;
  const known = tuples.map(() => true);
  for (const [at, { condition }] of filter.conditions.entries()) {
    const column = facts.columns.find((candidate) => candidate.name === condition.column);
    const position = positions.get(condition.column);
    if (column === undefined || position === undefined) return tuples.map(() => false);
    for (const [row, tuple] of tuples.entries()) {
      if (tuple?.[position] === undefined) known[row] = false;
    }
    parameters[at] = tuples.map((tuple) => tuple?.[position] ?? null);
    const value = `c${at}::${column.sqlType}`;
    const { sql, parameter } = conditionSql(condition, value, column.sqlType, count + at + 1);
    parameters[count + at] = parameter;
    conditions.push(sql);
  }
  const arrays = filter.conditions.map((_, at) => `$${at + 1}::text[]`).join(", ");
  const names = filter.conditions.map((_, at) => `c${at}`).join(", ");
  try {
    const { rows } = await db.query<{ passes: boolean | null }>(
      `select ${conditions.join(" and ")} as passes from unnest(${arrays}) with ordinality as r(${names}, n) order by n`,
      parameters,
    );
    return tuples.map((_, row) => known[row] === true && rows[row]?.passes === true);
  } catch (error) {
    // A condition the data cannot be put to, such as a type that has changed since: nobody passes.
    if (error instanceof pg.DatabaseError && error.severity !== "FATAL")
      return tuples.map(() => false);
    throw error;
  }
}
