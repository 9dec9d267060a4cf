import type { Preferences } from "../request/prefer.ts";
import type { Format } from "../request/media-types.ts";
import type { ReadNode } from "../plan/read-node.ts";
import type { Rendering } from "./fields.ts";
import { countableSql } from "./read.ts";

/** How a result becomes one body: rows, one row, or bare values. */
export type BodyShape = "rows" | "row" | "values" | "value";

/** SQL of the body, over rows called `_t`. */
export function bodySql(format: Format | undefined, shape: BodyShape): string {
  if (format === undefined) return "''";
  const item = shape === "values" || shape === "value" ? `_t."pgrst_scalar"` : `_t.*`;
  if (format.shape === "csv") {
    const header = `(select string_agg(k, ',') from json_object_keys(json_agg(_t.*) -> 0) as k)`;
    const line = `substring((_t.*)::text, 2, length((_t.*)::text) - 2)`;
    return `coalesce(${header}, '') || E'\\n' || coalesce(string_agg(${line}, E'\\n'), '')`;
  }
  const list = format.stripNulls ? `json_strip_nulls(json_agg(${item}))` : `json_agg(${item})`;
  const single = format.shape === "object" || shape === "row" || shape === "value";
  return single ? `coalesce(${list} -> 0, 'null')` : `coalesce(${list}, '[]')`;
}

/** SQL of the body that is one bare value, over a row called `_t`: no list is made to be taken apart again. */
export function valueSql(format: Format): string {
  const value = `to_json(_t."pgrst_scalar")`;
  return `coalesce(${format.stripNulls ? `json_strip_nulls(${value})` : value}, 'null')`;
}

/** What functions said about the answer; read after everything else ran. */
export const RESPONSE_SETTINGS = `nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`;

/**
 * SQL of the number of all rows there are, or null. Rows on the page tell it where the page is not full;
 * only else are they counted.
 */
export function totalSql(
  node: ReadNode,
  rendering: Rendering,
  base: { from: string; on: readonly string[] },
  count: Preferences["count"],
  cap: number,
): string {
  if (count !== "exact" && count !== "estimated") return "null";
  const { limit, offset } = node.range;
  const rows = countableSql(node, rendering, base);
  // An estimate counts up to one row more than any answer may hold; beyond it the planner is asked.
  const bounded = count === "estimated" ? `${rows} limit ${cap + 1}` : rows;
  const all = `(select count(*) from (${bounded}) as _c)`;
  if (limit === undefined) return offset === 0 ? "count(*)" : all;
  const skipped = rendering.values.add(`${offset}`);
  const page = rendering.values.add(`${limit}`);
  return `case when count(*) < ${page}::int8 and (count(*) > 0 or ${skipped}::int8 = 0) then count(*) + ${skipped}::int8 else ${all} end`;
}
