// Writes the SQL with which Postgres itself produces the response body (JSON or CSV) and counts the rows.

import type { Preferences } from "../request/prefer.ts";
import type { ResponseFormat } from "../request/response-format.ts";
import type { ReadNode } from "../plan/read-node.ts";
import type { SqlContext } from "./fields.ts";
import { fitsSql, valueFitsSql } from "./response-size-limit.ts";
import { countableSql } from "./read.ts";

/** What the body holds: a list of rows, one row, a list of scalar values, or one scalar value. */
export type BodyShape = "rows" | "row" | "values" | "value";

/** How the response body is written, and how many bytes it may have. */
export interface BodyOptions {
  /** Undefined when no body is wanted. */
  format: ResponseFormat | undefined;
  shape: BodyShape;
  maxBytes: number;
}

/** The first of the rows `_t`, as JSON or null. */
export const firstRowSql = `(array_agg(_t."j"))[1]::json`;

/**
 * FROM clause of the rows `_t`: each row as JSON text in `j`, and as a line of CSV when CSV is wanted. `offset 0` keeps
 * Postgres from computing the text of a row once for each use.
 */
export function bodyRowsSql(rows: string, { format, shape }: BodyOptions): string {
  const isBare = shape === "values" || shape === "value";
  const json = isBare ? `coalesce(to_json(_t."pgrst_scalar"), 'null')` : `row_to_json(_t.*)`;
  const stripped = format?.stripNulls === true ? `json_strip_nulls(${json})` : json;
  const line =
    format?.shape === "csv"
      ? `, substring((_t.*)::text, 2, length((_t.*)::text) - 2) as "line"`
      : "";
  return `(select ${stripped}::text as "j"${line} from (${rows}) as _t offset 0) as _t`;
}

/** SQL of the body, over the rows of `bodyRowsSql`. Raises 22003 when it would be larger than `maxBytes`. */
export function bodySql({ format, shape, maxBytes }: BodyOptions): string {
  if (format === undefined) return "''";
  // The separator between two rows is the one that json_agg uses.
  const separator = shape === "values" ? `', '` : String.raw`E', \n '`;
  const length = `(octet_length(_t."j") + 4)`;
  if (format.shape === "csv") {
    const header = `(select string_agg(k, ',') from json_object_keys(${firstRowSql}) as k)`;
    const csv = `coalesce(${header}, '') || E'\\n' || coalesce(string_agg(_t."line", E'\\n'), '')`;
    return `case when ${fitsSql(`(${length} + octet_length(_t."line"))`, maxBytes)} then ${csv} end`;
  }
  const single = format.shape === "object" || shape === "row" || shape === "value";
  const body = single
    ? `coalesce((array_agg(_t."j"))[1], 'null')`
    : `'[' || coalesce(string_agg(_t."j", ${separator}), '') || ']'`;
  return `case when ${fitsSql(length, maxBytes)} then ${body} end`;
}

/** SQL of a body that is one scalar value, over the row `_t`; no list is built first. */
export function valueSql(format: ResponseFormat, maxBytes: number): string {
  const value = `to_json(_t."pgrst_scalar")`;
  const json = format.stripNulls ? `json_strip_nulls(${value})` : value;
  const fits = valueFitsSql(`coalesce(pg_column_size(_t."pgrst_scalar"), 0)`, maxBytes);
  return `case when ${fits} then coalesce(${json}, 'null') end`;
}

/** The settings with which functions set response headers and status (PostgREST's GUC headers); read last. */
export const responseSettingsSql = `nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`;

/**
 * SQL of the total number of rows, or null. When the page is not full, the total follows from the rows on the page;
 * otherwise the rows are counted.
 */
export function totalSql(
  node: ReadNode,
  context: SqlContext,
  base: { from: string; on: readonly string[] },
  count: Preferences["count"],
  maxRows: number,
): string {
  if (count !== "exact" && count !== "estimated") return "null";
  const { limit, offset } = node.range;
  const rows = countableSql(node, context, base);
  // An estimated count stops at one row more than a response may hold; above that the planner's estimate is used.
  const bounded = count === "estimated" ? `${rows} limit ${maxRows + 1}` : rows;
  const all = `(select count(*) from (${bounded}) as _c)`;
  if (limit === undefined) return offset === 0 ? "count(*)" : all;
  const skipped = context.values.add(`${offset}`);
  const page = context.values.add(`${limit}`);
  return `case when count(*) < ${page}::int8 and (count(*) > 0 or ${skipped}::int8 = 0) then count(*) + ${skipped}::int8 else ${all} end`;
}
