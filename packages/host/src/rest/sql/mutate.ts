// Writes INSERT, UPDATE and DELETE with their RETURNING clause.

import type { Column, Relation } from "../schema-cache/model.ts";
import { columnNotFound } from "../errors.ts";
import type { FilterTree } from "../parse/ast.ts";
import type { ReadNode } from "../plan/read-node.ts";
import { sourceOf } from "../plan/read-node.ts";
import type { RequestPayload } from "../request/body.ts";
import { filterTreeSql } from "./filters.ts";
import { columnSql, type SqlContext } from "./fields.ts";
import { qualifiedName, quoteName } from "./values.ts";

/** Alias of the table that is changed. */
const targetAlias = "target";

type JsonPayload = RequestPayload & { kind: "json" };

/** @throws {RestError} PGRST204 */
function columnsOf(relation: Relation, names: readonly string[]): Column[] {
  return [...new Set(names)].map((name) => {
    const column = relation.columns.get(name);
    if (column === undefined) throw columnNotFound(relation.name, name);
    return column;
  });
}

/** FROM clause of the rows in a request body. With `missing`, columns that a row lacks get their default. */
function bodyRows(
  payload: JsonPayload,
  columns: readonly Column[],
  missing: boolean,
  context: SqlContext,
): { from: string; value: (column: Column) => string } {
  const body = context.values.add(payload.text);
  const types = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(", ");
  const value = ({ name }: Column) => `"b".${quoteName(name)}`;
  if (columns.length === 0) {
    const elements = payload.single
      ? `(values (${body}::json))`
      : `json_array_elements(${body}::json)`;
    return { from: `${elements} as "b"(row)`, value };
  }
  if (!missing) {
    const reader = payload.single ? "json_to_record" : "json_to_recordset";
    return { from: `${reader}(${body}::json) as "b"(${types})`, value };
  }
  const elements = payload.single
    ? `(values (${body}::jsonb))`
    : `jsonb_array_elements(${body}::jsonb)`;
  return {
    from: `${elements} as "r"(row), lateral jsonb_to_record("r".row) as "b"(${types})`,
    value: (column) =>
      column.default === null
        ? value(column)
        : `case when "r".row ? ${context.values.add(column.name)} then ${value(column)} else ${column.default} end`,
  };
}

/** Counts the rows that were inserted rather than merged: plus one for each row sent, minus one for each conflict. */
function countInserted(step: "+ 1" | "- 1"): string {
  const known = `coalesce(nullif(current_setting('pgrst.inserted', true), ''), '0')::int`;
  return `set_config('pgrst.inserted', (${known} ${step})::text, true) is not null`;
}

export interface InsertOptions {
  resolution: "merge-duplicates" | "ignore-duplicates" | undefined;
  /** Columns that identify a row. */
  conflict: readonly string[];
  missing: boolean;
  /** PUT: the row must be the one that the URL names. */
  matching: readonly FilterTree[];
}

export function insertSql(
  relation: Relation,
  payload: JsonPayload,
  options: InsertOptions,
  context: SqlContext,
): string {
  const columns = columnsOf(relation, payload.keys);
  const conflict = columnsOf(relation, options.conflict).map(({ name }) => quoteName(name));
  const names = columns.map(({ name }) => quoteName(name));
  const rows = bodyRows(payload, columns, options.missing, context);
  const merges = options.resolution === "merge-duplicates" && conflict.length > 0;
  const where = options.matching.map((condition) =>
    filterTreeSql({ source: sourceOf(relation), alias: "b" }, condition, context, () => undefined),
  );
  if (merges) where.push(countInserted("+ 1"));
  const sql = [
    `insert into ${qualifiedName(relation)} as "${targetAlias}"${names.length > 0 ? ` (${names.join(", ")})` : ""}`,
    ` select ${columns.map(rows.value).join(", ")} from ${rows.from}`,
    where.length > 0 ? ` where ${where.join(" and ")}` : "",
  ];
  if (options.resolution !== undefined && conflict.length > 0) {
    const set = names.map((name) => `${name} = excluded.${name}`).join(", ");
    const action =
      merges && names.length > 0
        ? `do update set ${set} where ${countInserted("- 1")}`
        : "do nothing";
    sql.push(` on conflict (${conflict.join(", ")}) ${action}`);
  }
  return sql.join("");
}

function whereSql(relation: Relation, conditions: readonly FilterTree[], context: SqlContext) {
  const rows = { source: sourceOf(relation), alias: targetAlias };
  const parts = conditions.map((condition) =>
    filterTreeSql(rows, condition, context, () => undefined),
  );
  return parts.length === 0 ? "" : ` where ${parts.join(" and ")}`;
}

export function updateSql(
  relation: Relation,
  payload: JsonPayload,
  options: { missing: boolean; conditions: readonly FilterTree[] },
  context: SqlContext,
): string | undefined {
  const columns = columnsOf(relation, payload.keys);
  // Without columns to set there is no statement to run.
  if (columns.length === 0) return undefined;
  const rows = bodyRows(payload, columns, options.missing, context);
  const values = columns.map((column) => `${rows.value(column)} as ${quoteName(column.name)}`);
  const set = columns.map(({ name }) => `${quoteName(name)} = "v".${quoteName(name)}`);
  return `update ${qualifiedName(relation)} as "${targetAlias}" set ${set.join(", ")} from (select ${values.join(", ")} from ${rows.from} limit 1) as "v"${whereSql(relation, options.conditions, context)}`;
}

export function deleteSql(
  relation: Relation,
  conditions: readonly FilterTree[],
  context: SqlContext,
): string {
  return `delete from ${qualifiedName(relation)} as "${targetAlias}"${whereSql(relation, conditions, context)}`;
}

/** RETURNING clause with only the columns that the response needs, because each column requires a SELECT privilege. */
export function returningSql(
  relation: Relation,
  node: ReadNode | undefined,
  keys: readonly string[],
) {
  const names = new Set<string>(keys);
  for (const { field } of node?.fields ?? []) names.add(field.name);
  for (const term of node?.order ?? []) if (term.embed === undefined) names.add(term.field.name);
  let whole = names.delete("*");
  for (const { relationship } of node?.embeds ?? []) {
    if (relationship.kind === "computed") whole = true;
    else for (const [column] of relationship.columns) names.add(column);
  }
  const rows = { source: sourceOf(relation), alias: targetAlias };
  const shown = [...names]
    .filter((name) => !whole || !relation.columns.has(name))
    .map((name) => `${columnSql(rows, name)} as ${quoteName(name)}`);
  if (whole) shown.unshift(`"${targetAlias}".*`);
  return ` returning ${shown.length === 0 ? "1" : shown.join(", ")}`;
}
