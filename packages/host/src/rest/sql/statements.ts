// Combines the parts into the main statement of a request, whose one row holds body, counts and headers.

import type { SchemaCache, Relation, Routine } from "../schema-cache/model.ts";
import type { Statement } from "../execute/transaction.ts";
import type { ReadNode } from "../plan/read-node.ts";
import type { RequestPayload } from "../request/body.ts";
import type { ResponseFormat } from "../request/response-format.ts";
import type { Preferences } from "../request/prefer.ts";
import {
  bodyRowsSql,
  bodySql,
  firstRowSql,
  responseSettingsSql,
  totalSql,
  valueSql,
  type BodyOptions,
  type BodyShape,
} from "./response-body.ts";
import { maxListBytes } from "./response-size-limit.ts";
import { callSql } from "./call.ts";
import type { SqlContext } from "./fields.ts";
import { countableSql, rowsSql, tableBase } from "./read.ts";
import { quoteName, StatementValues } from "./values.ts";

/** Columns of the one row that every main statement returns, by position. */
export const resultColumns = {
  total: 0,
  pageTotal: 1,
  body: 2,
  gucHeaders: 3,
  gucStatus: 4,
  inserted: 5,
  location: 6,
} as const;

const resultName = "pgrst_source";

interface ReadStatementOptions {
  node: ReadNode;
  count: Preferences["count"];
  /** Most rows in the response. */
  maxRows: number;
  /** Most bytes in the response body. */
  maxBytes: number;
  /** Undefined when no body is wanted. */
  format: ResponseFormat | undefined;
}

function sqlContextOf(
  schemaCache: SchemaCache,
  { node, maxBytes }: Pick<ReadStatementOptions, "node" | "maxBytes">,
): SqlContext {
  return { schemaCache, values: new StatementValues(), maxListBytes: maxListBytes(node, maxBytes) };
}

function resultBase(node: ReadNode): { from: string; on: string[] } {
  return { from: `${resultName} as ${quoteName(node.alias)}`, on: [] };
}

function explainOf(
  schemaCache: SchemaCache,
  read: ReadStatementOptions,
  base: { from: string; on: string[] },
): Statement | undefined {
  if (read.count !== "planned" && read.count !== "estimated") return undefined;
  const context = sqlContextOf(schemaCache, read);
  const rows = countableSql(read.node, context, base);
  return { text: `explain (format json) ${rows}`, values: context.values.list };
}

/** The statements that read a table or view. */
export function readStatements(
  schemaCache: SchemaCache,
  read: ReadStatementOptions,
): { main: Statement; explain: Statement | undefined } {
  const context = sqlContextOf(schemaCache, read);
  const base = tableBase(read.node);
  const rows = rowsSql(read.node, context, base);
  const total = totalSql(read.node, context, base, read.count, read.maxRows);
  const body: BodyOptions = { ...read, shape: "rows" };
  const from = read.format === undefined ? `(${rows}) as _t` : bodyRowsSql(rows, body);
  return {
    main: {
      text: `select ${total}, count(*), ${bodySql(body)}, ${responseSettingsSql} from ${from}`,
      values: context.values.list,
    },
    explain: explainOf(schemaCache, read, base),
  };
}

/** A mutation, and what is read from the rows it changed. */
export interface Mutation {
  sql: string;
  /** Undefined when the rows are not wanted. */
  node: ReadNode | undefined;
  format: ResponseFormat | undefined;
  maxBytes: number;
  /** Key columns for the Location header; empty when it is not wanted. */
  locationKeys: readonly string[];
}

/** The statement that runs a mutation; `context` already holds its values. */
export function mutationStatement(context: SqlContext, change: Mutation): Statement {
  const { sql, node, format, locationKeys, maxBytes } = change;
  const rows =
    node === undefined ? `select * from ${resultName}` : rowsSql(node, context, resultBase(node));
  const inserted = "nullif(current_setting('pgrst.inserted', true), '')";
  const location =
    locationKeys.length === 0
      ? "null"
      : `case when count(*) = 1 then (select json_agg(json_build_array(key, value)) from json_each_text(${firstRowSql})) end`;
  const body: BodyOptions = {
    format: node === undefined ? undefined : format,
    shape: "rows",
    maxBytes,
  };
  const from =
    body.format === undefined && locationKeys.length === 0
      ? `(${rows}) as _t`
      : bodyRowsSql(rows, body);
  return {
    text: `with ${resultName} as (${sql}) select null, count(*), ${bodySql(body)}, ${responseSettingsSql}, ${inserted}, ${location} from ${from}`,
    values: context.values.list,
  };
}

/** The statement that changes nothing, for a body without columns. */
export function emptyStatement(
  relation: Relation,
  format: ResponseFormat | undefined,
  maxBytes: number,
): Statement {
  const columns = [...relation.columns.keys()].map((name) => `null as ${quoteName(name)}`);
  const body: BodyOptions = { format, shape: "rows", maxBytes };
  const from = bodyRowsSql(`select ${columns.join(", ") || "1"} where false`, body);
  return {
    text: `select null, count(*), ${bodySql(body)}, ${responseSettingsSql}, null, null from ${from}`,
    values: [],
  };
}

function shapeOf(routine: Routine): BodyShape {
  if (routine.returns === "row") return routine.returnsSet ? "rows" : "row";
  return routine.returnsSet ? "values" : "value";
}

/** Names of the computed fields that a node uses. */
function computedOf(routine: Routine, node: ReadNode): string[] {
  const names = new Set([
    ...node.fields.map(({ field }) => field.name),
    ...node.order.map(({ field }) => field.name),
    ...node.conditions.flatMap(function fieldsOf(condition): string[] {
      return condition.kind === "filter"
        ? [condition.field.name]
        : condition.parts.flatMap(fieldsOf);
    }),
  ]);
  const { relation } = routine;
  if (relation === undefined) return [];
  return [...names].filter((name) => !relation.columns.has(name) && relation.computed.has(name));
}

/** The format, when the body is certainly one scalar value: not counted, not filtered, no range. */
function bareFormat(
  { node, count, format }: ReadStatementOptions,
  shape: BodyShape,
): ResponseFormat | undefined {
  const { conditions, range } = node;
  const isOne = conditions.length === 0 && range.offset === 0 && range.limit !== 0;
  if (shape !== "value" || count !== undefined || !isOne) return undefined;
  return format?.shape === "csv" ? undefined : format;
}

/** Total, page total and body of a function's result, and their FROM clause. */
function listAnswer(
  routine: Routine,
  { node, count, maxRows, format, maxBytes }: ReadStatementOptions,
  context: SqlContext,
  base: { from: string; on: string[] },
): { answer: string; from: string } {
  const rows = rowsSql(node, context, base);
  const total = totalSql(node, context, base, count === undefined ? undefined : "exact", maxRows);
  // A void function never has a body.
  const wanted = routine.returns === "void" ? undefined : format;
  const body: BodyOptions = { format: wanted, shape: shapeOf(routine), maxBytes };
  const from = wanted === undefined ? `(${rows}) as _t` : bodyRowsSql(rows, body);
  return { answer: `${total}, count(*), ${bodySql(body)}`, from };
}

/** The same for a function that returns one scalar value. */
function valueAnswer(
  format: ResponseFormat,
  { node, maxBytes }: ReadStatementOptions,
  context: SqlContext,
  base: { from: string; on: string[] },
): { answer: string; from: string } {
  const from = `(${rowsSql(node, context, base)}) as _t`;
  return { answer: `null, 1, ${valueSql(format, maxBytes)}`, from };
}

/** The statements that call a function and read its result. */
export function callStatements(
  schemaCache: SchemaCache,
  routine: Routine,
  args: RequestPayload | readonly (readonly [string, string])[],
  read: ReadStatementOptions,
): { main: Statement; explain: Statement | undefined } {
  const context = sqlContextOf(schemaCache, read);
  const call = callSql(routine, args, context, computedOf(routine, read.node));
  const base = resultBase(read.node);
  const bare = routine.returns === "void" ? undefined : bareFormat(read, shapeOf(routine));
  const { answer, from } =
    bare === undefined
      ? listAnswer(routine, read, context, base)
      : valueAnswer(bare, read, context, base);
  // One value is read once, so it need not be materialized; `offset 0` keeps Postgres from pulling the call up.
  const source = bare === undefined ? `materialized (${call})` : `(${call} offset 0)`;
  return {
    main: {
      text: `with ${resultName} as ${source} select ${answer}, ${responseSettingsSql} from ${from}`,
      values: context.values.list,
    },
    explain: undefined,
  };
}
