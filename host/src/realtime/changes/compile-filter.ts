import pg from "pg";
import { inTransaction } from "../../postgres/database.ts";
import type { TableColumn } from "./describe-table.ts";
import {
  conditionSql,
  FILTER_MS,
  FilterFault,
  operandOf,
  parseFilter,
  quickCheck,
  type Condition,
} from "./filters.ts";

interface CompiledCondition {
  condition: Condition;
  check: ((value: string | null) => boolean) | undefined;
}

/** A filter that was tried against the types of the columns it names. */
export interface CompiledFilter {
  /** As the client wrote it; the same text over the same table is the same filter. */
  text: string;
  conditions: readonly CompiledCondition[];
  /** True when no condition needs Postgres. */
  isQuick: boolean;
}

/** Text as the log has it: Postgres casts true to `true`, but prints it as `t`. */
function asPrinted(column: TableColumn, text: string): string {
  return column.typeName === "bool" ? text.charAt(0) : text;
}

/** Whoever writes one of these decides how long it takes; all others are as quick as comparing is. */
const PATTERNS = new Set(["like", "ilike", "match", "imatch"]);

/** What one condition is tried by: itself, its expression where it has one, and its operands as Postgres prints them. */
function trialSql(condition: Condition, { sqlType }: TableColumn, at: number): string[] {
  const isPattern = condition.operator === "match" || condition.operator === "imatch";
  const values =
    condition.operator === "in" ? `$${at + 1}::text[]` : `array[$${at + 1}::text]::text[]`;
  const printed =
    condition.operator === "is"
      ? "null::text[]"
      : `array(select v::${sqlType}::text from unnest(${values}) with ordinality as r(v, n) order by n)`;
  return [
    conditionSql(condition, `null::text::${sqlType}`, sqlType, `$${at + 1}`),
    ...(isPattern ? [`'' ~ $${at + 1}::text`] : []),
    `${printed} as printed${at}`,
  ];
}

/**
 * Reads a filter and tries it against the columns its reader may select. Running it once tells what Postgres
 * thinks of operators and operands, before any change depends on it. A pattern may take no longer than with
 * a change; what cannot be slow by itself has no limit, so that no busy moment refuses it.
 * @throws {FilterFault}
 */
export async function compileFilter(
  db: pg.Pool,
  text: string,
  columns: readonly TableColumn[],
): Promise<CompiledFilter | undefined> {
  const conditions = parseFilter(text);
  if (conditions.length === 0) return undefined;
  const named = conditions.map((condition) => {
    const column = columns.find((known) => known.name === condition.column);
    if (column === undefined)
      throw new FilterFault(`invalid column for filter ${condition.column}`);
    return { condition, column };
  });
  const trial = named.flatMap(({ condition, column }, at) => trialSql(condition, column, at));
  try {
    const limitMs = conditions.some(({ operator }) => PATTERNS.has(operator)) ? FILTER_MS : 0;
    const { rows } = await inTransaction(db, async (client) => {
      await client.query("select set_config('statement_timeout', $1, true)", [String(limitMs)]);
      return await client.query<Record<string, string[] | null>>(
        `select ${trial.join(", ")}`,
        conditions.map(operandOf),
      );
    });
    const compiled = named.map(({ condition, column }, at) => {
      const printed = (rows[0]?.[`printed${at}`] ?? []).map((value) => asPrinted(column, value));
      return { condition, check: quickCheck(condition, column.typeName, printed) };
    });
    const isQuick = compiled.every(({ check }) => check !== undefined);
    return { text, conditions: compiled, isQuick };
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw new FilterFault(error.message);
    throw error;
  }
}
