import type { Catalogue, Relation, Routine } from "../schema-cache/model.ts";
import type { Statement } from "../execute/transaction.ts";
import type { ReadNode } from "../plan/read-node.ts";
import type { Payload } from "../request/body.ts";
import type { Format } from "../request/media-types.ts";
import type { Preferences } from "../request/prefer.ts";
import {
  bodyRowsSql,
  bodySql,
  firstRowSql,
  RESPONSE_SETTINGS,
  totalSql,
  valueSql,
  type Body,
  type BodyShape,
} from "./response-body.ts";
import { maxListBytes } from "./response-size-limit.ts";
import { callSql } from "./call.ts";
import type { Rendering } from "./fields.ts";
import { countableSql, rowsSql, tableBase } from "./read.ts";
import { quoteName, Values } from "./values.ts";

/** Columns of the one row every main statement gives. */
export const TOTAL = 0;
export const PAGE = 1;
export const BODY = 2;
export const OWN_HEADERS = 3;
export const OWN_STATUS = 4;
export const INSERTED = 5;
export const LOCATION = 6;

const RESULT = "pgrst_source";

interface Counted {
  node: ReadNode;
  count: Preferences["count"];
  /** Most rows any answer holds. */
  cap: number;
  /** Most bytes any answer holds. */
  maxBytes: number;
  /** Undefined where no body is wanted. */
  format: Format | undefined;
}

function renderingOf(
  catalogue: Catalogue,
  { node, maxBytes }: Pick<Counted, "node" | "maxBytes">,
): Rendering {
  return { catalogue, values: new Values(), maxListBytes: maxListBytes(node, maxBytes) };
}

function resultBase(node: ReadNode): { from: string; on: string[] } {
  return { from: `${RESULT} as ${quoteName(node.alias)}`, on: [] };
}

function explainOf(
  catalogue: Catalogue,
  read: Counted,
  base: { from: string; on: string[] },
): Statement | undefined {
  if (read.count !== "planned" && read.count !== "estimated") return undefined;
  const rendering = renderingOf(catalogue, read);
  const rows = countableSql(read.node, rendering, base);
  return { text: `explain (format json) ${rows}`, values: rendering.values.list };
}

/** The statements that read a table or view. */
export function readStatements(
  catalogue: Catalogue,
  read: Counted,
): { main: Statement; explain: Statement | undefined } {
  const rendering = renderingOf(catalogue, read);
  const base = tableBase(read.node);
  const rows = rowsSql(read.node, rendering, base);
  const total = totalSql(read.node, rendering, base, read.count, read.cap);
  const body: Body = { ...read, shape: "rows" };
  const from = read.format === undefined ? `(${rows}) as _t` : bodyRowsSql(rows, body);
  return {
    main: {
      text: `select ${total}, count(*), ${bodySql(body)}, ${RESPONSE_SETTINGS} from ${from}`,
      values: rendering.values.list,
    },
    explain: explainOf(catalogue, read, base),
  };
}

/** A change, and what is read of the rows it touched. */
export interface Change {
  sql: string;
  /** Undefined where the rows are not wanted. */
  node: ReadNode | undefined;
  format: Format | undefined;
  maxBytes: number;
  /** Key columns that tell where a new row is found; empty where that is not wanted. */
  locationKeys: readonly string[];
}

/** The statement that makes a change; `rendering` already holds the values of the change. */
export function changeStatement(rendering: Rendering, change: Change): Statement {
  const { sql, node, format, locationKeys, maxBytes } = change;
  const rows =
    node === undefined ? `select * from ${RESULT}` : rowsSql(node, rendering, resultBase(node));
  const inserted = "nullif(current_setting('pgrst.inserted', true), '')";
  const location =
    locationKeys.length === 0
      ? "null"
      : `case when count(*) = 1 then (select json_agg(json_build_array(key, value)) from json_each_text(${firstRowSql})) end`;
  const body: Body = { format: node === undefined ? undefined : format, shape: "rows", maxBytes };
  const from =
    body.format === undefined && locationKeys.length === 0
      ? `(${rows}) as _t`
      : bodyRowsSql(rows, body);
  return {
    text: `with ${RESULT} as (${sql}) select null, count(*), ${bodySql(body)}, ${RESPONSE_SETTINGS}, ${inserted}, ${location} from ${from}`,
    values: rendering.values.list,
  };
}

/** The statement that changes nothing, where a body has no columns. */
export function emptyStatement(
  relation: Relation,
  format: Format | undefined,
  maxBytes: number,
): Statement {
  const columns = [...relation.columns.keys()].map((name) => `null as ${quoteName(name)}`);
  const body: Body = { format, shape: "rows", maxBytes };
  const from = bodyRowsSql(`select ${columns.join(", ") || "1"} where false`, body);
  return {
    text: `select null, count(*), ${bodySql(body)}, ${RESPONSE_SETTINGS}, null, null from ${from}`,
    values: [],
  };
}

function shapeOf(routine: Routine): BodyShape {
  if (routine.returns === "row") return routine.returnsSet ? "rows" : "row";
  return routine.returnsSet ? "values" : "value";
}

/** Fields a node uses that are functions over the row. */
function computedOf(routine: Routine, node: ReadNode): string[] {
  const names = new Set([
    ...node.fields.map(({ field }) => field.name),
    ...node.order.map(({ field }) => field.name),
    ...node.conditions.flatMap(function fieldsOf(condition): string[] {
      return condition.kind === "test" ? [condition.field.name] : condition.parts.flatMap(fieldsOf);
    }),
  ]);
  const { relation } = routine;
  if (relation === undefined) return [];
  return [...names].filter((name) => !relation.columns.has(name) && relation.computed.has(name));
}

/** The format of an answer that is one value for certain: neither counted nor filtered nor cut away. */
function bareFormat({ node, count, format }: Counted, shape: BodyShape): Format | undefined {
  const { conditions, range } = node;
  const isOne = conditions.length === 0 && range.offset === 0 && range.limit !== 0;
  if (shape !== "value" || count !== undefined || !isOne) return undefined;
  return format?.shape === "csv" ? undefined : format;
}

/** Total, rows on the page and body of what a function returns, and where they are read from. */
function listAnswer(
  routine: Routine,
  { node, count, cap, format, maxBytes }: Counted,
  rendering: Rendering,
  base: { from: string; on: string[] },
): { answer: string; from: string } {
  const rows = rowsSql(node, rendering, base);
  const total = totalSql(node, rendering, base, count === undefined ? undefined : "exact", cap);
  // A void function gives no body whatever was asked for.
  const wanted = routine.returns === "void" ? undefined : format;
  const body: Body = { format: wanted, shape: shapeOf(routine), maxBytes };
  const from = wanted === undefined ? `(${rows}) as _t` : bodyRowsSql(rows, body);
  return { answer: `${total}, count(*), ${bodySql(body)}`, from };
}

/** The same of a function that returns one bare value. */
function valueAnswer(
  format: Format,
  { node, maxBytes }: Counted,
  rendering: Rendering,
  base: { from: string; on: string[] },
): { answer: string; from: string } {
  const from = `(${rowsSql(node, rendering, base)}) as _t`;
  return { answer: `null, 1, ${valueSql(format, maxBytes)}`, from };
}

/** The statements that call a function and read what it returns. */
export function callStatements(
  catalogue: Catalogue,
  routine: Routine,
  args: Payload | readonly (readonly [string, string])[],
  read: Counted,
): { main: Statement; explain: Statement | undefined } {
  const rendering = renderingOf(catalogue, read);
  const call = callSql(routine, args, rendering, computedOf(routine, read.node));
  const base = resultBase(read.node);
  const bare = routine.returns === "void" ? undefined : bareFormat(read, shapeOf(routine));
  const { answer, from } =
    bare === undefined
      ? listAnswer(routine, read, rendering, base)
      : valueAnswer(bare, read, rendering, base);
  // One value is read once, so it need not be stored; the offset keeps what reads it from being moved before it.
  const source = bare === undefined ? `materialized (${call})` : `(${call} offset 0)`;
  return {
    main: {
      text: `with ${RESULT} as ${source} select ${answer}, ${RESPONSE_SETTINGS} from ${from}`,
      values: rendering.values.list,
    },
    explain: undefined,
  };
}
