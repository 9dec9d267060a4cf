// Writes the SELECT of a read tree, with a lateral join for each embed.

import { isToOne } from "../schema-cache/model.ts";
import { RestError } from "../errors.ts";
import type { FieldItem } from "../parse/ast.ts";
import { outputName, type Embed, type ReadNode } from "../plan/read-node.ts";
import { fitsSql } from "./response-size-limit.ts";
import { embedRowsSql, orderSql, whereFilters } from "./embeds.ts";
import { castType, fieldSql, type SqlContext } from "./fields.ts";
import { qualifiedName, quoteName } from "./values.ts";

function castSql(sql: string, cast: string | undefined, context: SqlContext): string {
  return cast === undefined ? sql : `cast(${sql} as ${castType(context.schemaCache, cast)})`;
}

/**
 * True for `count` where the table has no such column: Postgres reads `alias.count` as `count(alias)`. Clients of
 * PostgREST count embedded rows this way, as in `books(count)`, also when aggregate functions are disabled.
 */
function isRowCount(node: ReadNode, { field, aggregate }: FieldItem): boolean {
  const { columns, computed } = node.source;
  const isKnown = columns.has(field.name) || computed.has(field.name);
  return field.name === "count" && !isKnown && aggregate === undefined && field.path.length === 0;
}

function fieldOutput(node: ReadNode, item: FieldItem, context: SqlContext): string {
  const { field, cast, aggregate, aggregateCast } = item;
  if (aggregate === undefined && field.name === "*") return `${quoteName(node.alias)}.*`;
  if (isRowCount(node, item)) {
    const count = castSql(`${quoteName(node.alias)}."count"`, cast, context);
    return `${count} as ${quoteName(outputName(item))}`;
  }
  const value =
    field.name === "*" ? "*" : castSql(fieldSql(node, field, context.values), cast, context);
  const whole = aggregate === undefined ? value : `${aggregate}(${value})`;
  return `${castSql(whole, aggregateCast, context)} as ${quoteName(outputName(item))}`;
}

function expandStar(node: ReadNode): FieldItem[] {
  return [...node.source.columns.keys()].map((name) => ({
    kind: "field",
    field: { name, path: [] },
  }));
}

function hasStar({ node }: Embed): boolean {
  return node.fields.some(({ field }) => field.name === "*");
}

/** Fields of a spread embed. A to-many embed names every column, because each column becomes a list. */
function spreadFields(embed: Embed): readonly FieldItem[] {
  const { node, relationship } = embed;
  if (isToOne(relationship) || !hasStar(embed)) return node.fields;
  return [...expandStar(node), ...node.fields.filter(({ field }) => field.name !== "*")];
}

function visibleEmbeds({ node }: Embed): Embed[] {
  return node.embeds.filter(({ visible }) => visible);
}

/**
 * Names of the columns that a spread embed adds to its parent; `*` alone stands for all of them.
 * @param asLists true when each column becomes a list, which needs its name
 */
function spreadNames(embed: Embed, asLists = !isToOne(embed.relationship)): string[] {
  const { node } = embed;
  const fields =
    asLists && hasStar(embed)
      ? [...expandStar(node), ...node.fields.filter(({ field }) => field.name !== "*")]
      : node.fields;
  const names = [
    ...fields.map((item) => (item.field.name === "*" ? "*" : outputName(item))),
    ...visibleEmbeds(embed).flatMap((inner) =>
      inner.spread ? spreadNames(inner, asLists || !isToOne(inner.relationship)) : [inner.name],
    ),
  ];
  return names.includes("*") ? ["*"] : names;
}

/** True when an embed adds all columns of some table to its parent. */
function spreadsStar(embed: Embed): boolean {
  if (!embed.spread || !embed.visible) return false;
  return hasStar(embed) || visibleEmbeds(embed).some(spreadsStar);
}

function isAggregated(node: ReadNode): boolean {
  return node.fields.some(({ aggregate }) => aggregate !== undefined);
}

/** Output columns that an embed adds to its parent. */
function embedOutputs(embed: Embed, asJsonb: boolean): string[] {
  if (!embed.visible) return [];
  const rows = quoteName(embed.alias);
  if (embed.spread) {
    return spreadNames(embed).map((name) =>
      name === "*" ? `${rows}.*` : `${rows}.${quoteName(name)} as ${quoteName(name)}`,
    );
  }
  const json = isToOne(embed.relationship)
    ? `row_to_json(${rows}.*)`
    : `coalesce(${rows}."j", '[]')`;
  return [`${asJsonb ? `(${json})::jsonb` : json} as ${quoteName(embed.name)}`];
}

/** The lateral join that returns an embed's rows for each row of its parent. */
function embedJoin(embed: Embed, parent: ReadNode, context: SqlContext): string {
  const rows = quoteName(embed.alias);
  const toOne = isToOne(embed.relationship);
  const node = embed.spread ? { ...embed.node, fields: spreadFields(embed) } : embed.node;
  const inner = rowsSql(node, context, embedRowsSql(embed, parent));
  const kind = embed.inner ? "inner" : "left";
  if (toOne) return ` ${kind} join lateral (${inner}) as ${rows} on true`;
  if (embed.spread) {
    const fits = fitsSql(`octet_length(row_to_json("x".*)::text)`, context.maxListBytes);
    const lists = spreadNames(embed).map(
      (name) =>
        `, case when ${fits} then coalesce(json_agg("x".${quoteName(name)}), '[]') end as ${quoteName(name)}`,
    );
    const on = embed.inner ? `${rows}."__rows" > 0` : "true";
    return ` ${kind} join lateral (select count(*) as "__rows"${lists.join("")} from (${inner}) as "x") as ${rows} on ${on}`;
  }
  const on = embed.inner ? `${rows}."j" is not null` : "true";
  const fits = fitsSql(`octet_length("x"."j"::text)`, context.maxListBytes);
  const items = `select row_to_json("x".*) as "j" from (${inner}) as "x" offset 0`;
  return ` ${kind} join lateral (select case when ${fits} then json_agg("x"."j") end as "j" from (${items}) as "x") as ${rows} on ${on}`;
}

function rangeSql(node: ReadNode, context: SqlContext): string {
  const { limit, offset } = node.range;
  const limitSql = limit === undefined ? "" : ` limit ${context.values.add(`${limit}`)}`;
  return offset === 0 ? limitSql : `${limitSql} offset ${context.values.add(`${offset}`)}`;
}

/** SELECT of a node with its embeds. `base` is its FROM item and the conditions that join it to its parent. */
export function rowsSql(
  node: ReadNode,
  context: SqlContext,
  base: { from: string; on: readonly string[] },
): string {
  const aggregated = isAggregated(node);
  const fields = aggregated
    ? node.fields.flatMap((item) =>
        item.field.name === "*" && item.aggregate === undefined ? expandStar(node) : [item],
      )
    : node.fields;
  const own = fields.map((item) => fieldOutput(node, item, context));
  const embedded = node.embeds.flatMap((embed) => embedOutputs(embed, aggregated));
  const joins = node.embeds.map((embed) => embedJoin(embed, node, context)).join("");
  const where = [...base.on, ...whereFilters(node, context, "joined")];
  const columns = [...own, ...embedded];
  const sql = [
    `select ${columns.length === 0 && node.embeds.length === 0 ? "1" : columns.join(", ")}`,
    ` from ${base.from}${joins}`,
    where.length === 0 ? "" : ` where ${where.join(" and ")}`,
  ];
  if (aggregated) {
    const grouped = columns.flatMap((_, at) => (fields[at]?.aggregate ? [] : [`${at + 1}`]));
    if (grouped.length > 0) sql.push(` group by ${grouped.join(", ")}`);
    if (node.embeds.some(spreadsStar)) {
      throw new RestError(400, "PGRST127", "Feature not implemented", {
        details: "Aggregates are not implemented beside spread embeds of all columns.",
      });
    }
  }
  sql.push(orderSql(node, context), rangeSql(node, context));
  return sql.join("");
}

/** FROM clause of a table or view that is read directly. */
export function tableBase(node: ReadNode): { from: string; on: string[] } {
  const relation = node.source.relation;
  const name = relation === undefined ? "" : qualifiedName(relation);
  return { from: `${name} as ${quoteName(node.alias)}`, on: [] };
}

/** SELECT of the rows that match a node's filters, without order, range or columns; for counting. */
export function countableSql(
  node: ReadNode,
  context: SqlContext,
  base: { from: string; on: readonly string[] },
): string {
  const where = [...base.on, ...whereFilters(node, context, "exists")];
  const sql = where.length === 0 ? "" : ` where ${where.join(" and ")}`;
  return `select 1 from ${base.from}${sql}`;
}
