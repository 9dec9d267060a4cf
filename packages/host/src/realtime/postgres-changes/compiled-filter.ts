// Lets Postgres check a subscription's filter against the column types once, before any change depends on it.

import pg from "pg";
import { inTransaction } from "../../postgres/database.ts";
import { isTimeout } from "./quarantine.ts";
import type { TableColumn } from "./table-metadata.ts";
import {
  conditionSql,
  filterTimeoutMs,
  FilterError,
  hasRegex,
  operandOf,
  localCheck,
  type Condition,
} from "./filter-conditions.ts";

export interface CompiledCondition {
  condition: Condition;
  /** What `check` was made of: the type of the column, and the operands as Postgres prints them. */
  typeName: string;
  printed: readonly string[];
  check: ((value: string | null) => boolean) | undefined;
}

/** A filter validated against the types of its columns. */
export interface CompiledFilter {
  /** As the client wrote it; the same text over the same table is the same filter. */
  text: string;
  conditions: readonly CompiledCondition[];
  /** True when every condition is evaluated in this process. */
  isLocal: boolean;
}

/** The text in the log: Postgres casts true to `true`, but prints it as `t`. */
function asPrinted(column: TableColumn, text: string): string {
  return column.typeName === "bool" ? text.charAt(0) : text;
}

/** Longer printed operands are rejected: a short number such as 1e100000 can print very long. */
const maxPrintedLength = 8_000;
/** Timeout of filters without a regular expression. Long, so that a busy database rejects none. */
const plainFilterTimeoutMs = 8_000;

/** SQL to validate one condition: the condition, its regular expression if any, and its operands as Postgres prints them. */
function validationSql(condition: Condition, { sqlType }: TableColumn, at: number): string[] {
  const isPattern = condition.operator === "match" || condition.operator === "imatch";
  const values =
    condition.operator === "in" ? `$${at + 1}::text[]` : `array[$${at + 1}::text]::text[]`;
  const printed =
    condition.operator === "is"
      ? "null::text[]"
      : `array(select left(v::${sqlType}::text, ${maxPrintedLength + 1}) from unnest(${values}) with ordinality as r(v, n) order by n)`;
  return [
    conditionSql(condition, `null::text::${sqlType}`, sqlType, `$${at + 1}`),
    ...(isPattern ? [`'' ~ $${at + 1}::text`] : []),
    `${printed} as printed${at}`,
  ];
}

/** A condition and its column. */
interface BoundCondition {
  condition: Condition;
  column: TableColumn;
}

/**
 * Finds the columns of a filter, before Postgres evaluates any of it.
 * @param columns the columns its author may select
 * @throws {FilterError}
 */
export function bindColumns(
  conditions: readonly Condition[],
  columns: readonly TableColumn[],
): BoundCondition[] {
  return conditions.map((condition) => {
    const column = columns.find((known) => known.name === condition.column);
    if (column === undefined)
      throw new FilterError(`invalid column for filter ${condition.column}`);
    return { condition, column };
  });
}

/** Each condition's operands as Postgres prints them, by the names that {@link validationSql} gives them. */
type PrintedOperands = Record<string, string[] | null>;

/**
 * Lets Postgres evaluate a filter once. A regular expression, whose compilation may take forever, gets the time it
 * gets with a change, and that twice: a timeout alone doesn't tell a slow expression from a busy database.
 */
async function tryFilter(
  db: pg.Pool,
  named: readonly BoundCondition[],
  attempts = 2,
): Promise<PrintedOperands | undefined> {
  const trial = named.flatMap(({ condition, column }, at) => validationSql(condition, column, at));
  const isRegex = hasRegex(named.map(({ condition }) => condition));
  try {
    const { rows } = await inTransaction(db, async (client) => {
      const limitMs = isRegex ? filterTimeoutMs : plainFilterTimeoutMs;
      await client.query("select set_config('statement_timeout', $1, true)", [String(limitMs)]);
      return await client.query<PrintedOperands>(
        `select ${trial.join(", ")}`,
        named.map(({ condition }) => operandOf(condition)),
      );
    });
    return rows[0];
  } catch (error) {
    if (isRegex && attempts > 1 && isTimeout(error))
      return await tryFilter(db, named, attempts - 1);
    throw error;
  }
}

/**
 * Validates a filter by running it once, so that wrong operators and operands are found before any change
 * depends on it.
 * @throws {FilterError}
 */
export async function compileFilter(
  db: pg.Pool,
  text: string,
  named: readonly BoundCondition[],
): Promise<CompiledFilter> {
  try {
    const operands = await tryFilter(db, named);
    const compiled = named.map(({ condition, column }, at) => {
      const values = operands?.[`printed${at}`] ?? [];
      if (values.some((value) => value.length > maxPrintedLength)) {
        throw new FilterError(`the value for ${column.name} is too long`);
      }
      const printed = values.map((value) => asPrinted(column, value));
      const { typeName } = column;
      return { condition, typeName, printed, check: localCheck(condition, typeName, printed) };
    });
    const isLocal = compiled.every(({ check }) => check !== undefined);
    return { text, conditions: compiled, isLocal };
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw new FilterError(error.message);
    throw error;
  }
}
