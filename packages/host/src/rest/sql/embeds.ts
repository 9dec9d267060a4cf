// Writes the joins, filters and order of embedded resources.

import type { Relationship } from "../schema-cache/model.ts";
import { isToOne } from "../schema-cache/model.ts";
import { notEmbedded, RestError } from "../errors.ts";
import type { OrderTerm } from "../parse/ast.ts";
import type { Embed, ReadNode } from "../plan/read-node.ts";
import { filterTreeSql } from "./filters.ts";
import { columnSql, fieldSql, type SqlContext } from "./fields.ts";
import { qualifiedName, quoteName } from "./values.ts";

function joinSql(
  relationship: Relationship,
  from: ReadNode,
  to: ReadNode,
): { from: string; on: string[] } {
  const target = quoteName(to.alias);
  const column = (alias: string, name: string) => `${alias}.${quoteName(name)}`;
  const parent = quoteName(from.alias);
  if (relationship.kind === "computed") {
    // Rows returned by a mutation are anonymous records in Postgres until they are cast to their table's row type.
    const columns = [...relationship.from.columns.keys()].map((name) => column(parent, name));
    const row = from.source.isResult
      ? `row(${columns.join(", ")})::${qualifiedName(relationship.from)}`
      : parent;
    return { from: `${qualifiedName(relationship.function)}(${row}) as ${target}`, on: [] };
  }
  if (relationship.kind === "many-to-many") {
    const junction = quoteName(`${to.alias}j`);
    return {
      from: `${qualifiedName(relationship.junction)} as ${junction}, ${qualifiedName(relationship.to)} as ${target}`,
      on: [
        ...relationship.columns.map(([a, b]) => `${column(junction, b)} = ${column(parent, a)}`),
        ...relationship.junctionColumns.map(
          ([a, b]) => `${column(target, b)} = ${column(junction, a)}`,
        ),
      ],
    };
  }
  return {
    from: `${qualifiedName(relationship.to)} as ${target}`,
    on: relationship.columns.map(([a, b]) => `${column(target, b)} = ${column(parent, a)}`),
  };
}

/** FROM clause and join conditions of an embed's rows, for one row of its parent. */
export function embedRowsSql(embed: Embed, parent: ReadNode): { from: string; on: string[] } {
  return joinSql(embed.relationship, parent, embed.node);
}

/** SQL that is true when the embed has rows, without joining it. */
function existsSql(embed: Embed, parent: ReadNode, context: SqlContext): string {
  const { from, on } = embedRowsSql(embed, parent);
  const where = [...on, ...whereFilters(embed.node, context, "exists")];
  return `exists (select 1 from ${from}${where.length > 0 ? ` where ${where.join(" and ")}` : ""})`;
}

function joinedPresence(embed: Embed): string {
  const rows = quoteName(embed.alias);
  if (embed.spread && !isToOne(embed.relationship)) return `${rows}."__rows" > 0`;
  return isToOne(embed.relationship) ? `${rows} is distinct from null` : `${rows}."j" is not null`;
}

/**
 * WHERE conditions on the rows of a node.
 * @param via `joined` when the embeds are joined to the node, `exists` when they are not (counting)
 */
export function whereFilters(
  node: ReadNode,
  context: SqlContext,
  via: "joined" | "exists",
): string[] {
  const presence = (name: string): string | undefined => {
    const embed = node.embeds.find((one) => one.name === name);
    if (embed === undefined) return undefined;
    return via === "joined" ? joinedPresence(embed) : existsSql(embed, node, context);
  };
  const sql = node.conditions.map((condition) => filterTreeSql(node, condition, context, presence));
  if (via === "exists") {
    const inner = node.embeds.filter((embed) => embed.inner);
    sql.push(...inner.map((embed) => existsSql(embed, node, context)));
  }
  return sql;
}

/** A column of an embedded row to order by; it need not be part of the response. */
function embeddedColumn(node: ReadNode, term: OrderTerm, context: SqlContext): string {
  const embed = node.embeds.find(({ name }) => name === term.embed);
  if (embed === undefined) throw notEmbedded(term.embed ?? "");
  if (!isToOne(embed.relationship)) {
    const [origin, target] = [node.source.label, embed.name];
    throw new RestError(400, "PGRST118", `A related order on '${target}' is not possible`, {
      details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
    });
  }
  const shown = embed.node.fields.some(
    ({ field, alias, cast }) =>
      (field.name === term.field.name || field.name === "*") &&
      field.path.length === 0 &&
      alias === undefined &&
      cast === undefined,
  );
  if (shown && term.field.path.length === 0 && embed.node.source.columns.has(term.field.name)) {
    return `${quoteName(embed.alias)}.${quoteName(term.field.name)}`;
  }
  const { from, on } = embedRowsSql(embed, node);
  const where = [...on, ...whereFilters(embed.node, context, "exists")];
  const value = fieldSql(embed.node, term.field, context.values);
  return `(select ${value} from ${from}${where.length > 0 ? ` where ${where.join(" and ")}` : ""} limit 1)`;
}

/** ORDER BY clause of a node, or an empty string. */
export function orderSql(node: ReadNode, context: SqlContext): string {
  if (node.order.length === 0) return "";
  const terms = node.order.map((term) => {
    const value =
      term.embed === undefined
        ? orderValue(node, term, context)
        : embeddedColumn(node, term, context);
    const nulls = term.nulls === undefined ? "" : ` nulls ${term.nulls}`;
    return `${value}${term.direction === undefined ? "" : ` ${term.direction}`}${nulls}`;
  });
  return ` order by ${terms.join(", ")}`;
}

function orderValue(node: ReadNode, term: OrderTerm, context: SqlContext): string {
  return term.field.path.length === 0
    ? columnSql(node, term.field.name)
    : fieldSql(node, term.field, context.values);
}
