import type { Catalogue, Relation, Routine } from "../catalogue/model.ts";
import type { Statement } from "../execute/run.ts";
import type { ReadNode } from "../plan/read-node.ts";
import type { Payload } from "../request/body.ts";
import type { Format } from "../request/media-types.ts";
import type { Preferences } from "../request/prefer.ts";
import { bodySql, RESPONSE_SETTINGS, totalSql, valueSql, type BodyShape } from "./answer.ts";
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
  /** Undefined where no body is wanted. */
  format: Format | undefined;
}

function resultBase(node: ReadNode): { from: string; on: string[] } {
  return { from: `${RESULT} as ${quoteName(node.alias)}`, on: [] };
}

function explainOf(
  catalogue: Catalogue,
  { node, count }: Counted,
  base: { from: string; on: string[] },
): Statement | undefined {
  if (count !== "planned" && count !== "estimated") return undefined;
  const values = new Values();
  const rows = countableSql(node, { catalogue, values }, base);
  return { text: `explain (format json) ${rows}`, values: values.list };
}

/** The statements that read a table or view. */
export function readStatements(
  catalogue: Catalogue,
  read: Counted,
): { main: Statement; explain: Statement | undefined } {
  const values = new Values();
  const rendering: Rendering = { catalogue, values };
  const base = tableBase(read.node);
  const rows = rowsSql(read.node, rendering, base);
  const total = totalSql(read.node, rendering, base, read.count, read.cap);
  const body = bodySql(read.format, "rows");
  return {
    main: {
      text: `select ${total}, count(*), ${body}, ${RESPONSE_SETTINGS} from (${rows}) as _t`,
      values: values.list,
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
  /** Key columns that tell where a new row is found; empty where that is not wanted. */
  locationKeys: readonly string[];
}

/** The statement that makes a change; `rendering` already holds the values of the change. */
export function changeStatement(rendering: Rendering, change: Change): Statement {
  const { sql, node, format, locationKeys } = change;
  const rows =
    node === undefined ? `select * from ${RESULT}` : rowsSql(node, rendering, resultBase(node));
  const inserted = "nullif(current_setting('pgrst.inserted', true), '')";
  const location =
    locationKeys.length === 0
      ? "null"
      : `case when count(*) = 1 then (select json_agg(json_build_array(key, value)) from json_each_text(json_agg(_t.*) -> 0)) end`;
  const body = node === undefined ? "''" : bodySql(format, "rows");
  return {
    text: `with ${RESULT} as (${sql}) select null, count(*), ${body}, ${RESPONSE_SETTINGS}, ${inserted}, ${location} from (${rows}) as _t`,
    values: rendering.values.list,
  };
}

/** The statement that changes nothing, where a body has no columns. */
export function emptyStatement(relation: Relation, format: Format | undefined): Statement {
  const columns = [...relation.columns.keys()].map((name) => `null as ${quoteName(name)}`);
  const body = bodySql(format, "rows");
  return {
    text: `select null, count(*), ${body}, ${RESPONSE_SETTINGS}, null, null from (select ${columns.join(", ") || "1"} where false) as _t`,
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

/** Total, rows on the page and body of what a function returns, over rows called `_t`. */
function listAnswer(
  routine: Routine,
  { node, count, cap, format }: Counted,
  rendering: Rendering,
  base: { from: string; on: string[] },
): string {
  const total = totalSql(node, rendering, base, count === undefined ? undefined : "exact", cap);
  // A void function gives no body whatever was asked for.
  const body = routine.returns === "void" ? "''" : bodySql(format, shapeOf(routine));
  return `${total}, count(*), ${body}`;
}

/** The statements that call a function and read what it returns. */
export function callStatements(
  catalogue: Catalogue,
  routine: Routine,
  args: Payload | readonly (readonly [string, string])[],
  read: Counted,
): { main: Statement; explain: Statement | undefined } {
  const values = new Values();
  const rendering: Rendering = { catalogue, values };
  const call = callSql(routine, args, rendering, computedOf(routine, read.node));
  const base = resultBase(read.node);
  const rows = rowsSql(read.node, rendering, base);
  const bare = routine.returns === "void" ? undefined : bareFormat(read, shapeOf(routine));
  const answer =
    bare === undefined ? listAnswer(routine, read, rendering, base) : `null, 1, ${valueSql(bare)}`;
  // One value is read once, so it need not be stored; the offset keeps what reads it from being moved before it.
  const source = bare === undefined ? `materialized (${call})` : `(${call} offset 0)`;
  return {
    main: {
      text: `with ${RESULT} as ${source} select ${answer}, ${RESPONSE_SETTINGS} from (${rows}) as _t`,
      values: values.list,
    },
    explain: undefined,
  };
}
