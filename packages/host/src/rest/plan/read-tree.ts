// Resolves the embeds of a query to relationships, and gives each its own filters, order and limits.

import type { SchemaCache } from "../schema-cache/model.ts";
import { notEmbedded, RestError } from "../errors.ts";
import type { EmbedItem, FieldItem, ParsedQuery, SelectItem } from "../parse/ast.ts";
import { findRelationship } from "./find-relationship.ts";
import { Aliases, sourceOf, type Embed, type ReadNode, type RowSource } from "./read-node.ts";

/** What is needed to build a read tree besides the query. */
export interface ReadOptions {
  schemaCache: SchemaCache;
  schema: string;
  /** Most rows of any node; undefined for a mutation, which returns all the rows it changed. */
  maxRows: number | undefined;
  /** False for mutations: their root filters select what is changed, not what is returned. */
  filtersRoot: boolean;
}

function planNode(
  source: RowSource,
  items: readonly SelectItem[],
  options: ReadOptions,
  aliases: Aliases,
): ReadNode {
  const fields = items.filter((item): item is FieldItem => item.kind === "field");
  if (!options.schemaCache.api.aggregates && fields.some(({ aggregate }) => aggregate)) {
    throw new RestError(400, "PGRST123", "Use of aggregate functions is not allowed");
  }
  const node: ReadNode = {
    source,
    alias: aliases.next("t"),
    fields,
    embeds: [],
    conditions: [],
    order: [],
    range: { offset: 0 },
  };
  for (const item of items) {
    if (item.kind === "embed") node.embeds.push(planEmbed(source, item, options, aliases));
  }
  return node;
}

function isVisible(item: EmbedItem): boolean {
  return item.items.some((inner) => inner.kind === "field" || isVisible(inner));
}

function planEmbed(
  parent: RowSource,
  item: EmbedItem,
  options: ReadOptions,
  aliases: Aliases,
): Embed {
  const { schemaCache, schema } = options;
  const relationship = findRelationship(schemaCache, { ...parent, schema }, item.target, item.hint);
  const node = planNode(sourceOf(relationship.to), item.items, options, aliases);
  if (item.spread && node.fields.some(({ aggregate }) => aggregate)) {
    throw new RestError(400, "PGRST127", "Feature not implemented", {
      details: "Aggregates are not implemented for spread embeds.",
    });
  }
  return {
    name: item.alias ?? item.target,
    target: item.target,
    alias: aliases.next("e"),
    relationship,
    inner: item.join === "inner",
    spread: item.spread,
    visible: isVisible(item),
    node,
  };
}

/** The node at a path of embed names. An alias takes precedence over a table name. */
function nodeAt(root: ReadNode, path: readonly string[]): ReadNode {
  let node = root;
  for (const name of path) {
    const embed =
      node.embeds.find((one) => one.name === name) ??
      node.embeds.find((one) => one.target === name);
    if (embed === undefined) throw notEmbedded(name);
    node = embed.node;
  }
  return node;
}

function capRows(node: ReadNode, maxRows: number | undefined): void {
  if (maxRows !== undefined) {
    node.range.limit = Math.min(node.range.limit ?? maxRows, maxRows);
  }
  for (const { node: inner } of node.embeds) capRows(inner, maxRows);
}

/**
 * Turns a query into a tree of nodes with their relationships, filters, orders and ranges.
 * @throws {RestError} for unknown relationships and for paths that name no embed
 */
export function buildReadTree(
  source: RowSource,
  query: ParsedQuery,
  options: ReadOptions,
): ReadNode {
  const items: readonly SelectItem[] =
    query.select.length > 0 ? query.select : [{ kind: "field", field: { name: "*", path: [] } }];
  const root = planNode(source, items, options, new Aliases());
  for (const { path, condition } of query.conditions) {
    if (path.length > 0 || options.filtersRoot) nodeAt(root, path).conditions.push(condition);
  }
  for (const { path, terms } of query.orders) nodeAt(root, path).order.push(...terms);
  for (const { path, range } of query.ranges) {
    const node = nodeAt(root, path);
    if (path.length > 0 || options.filtersRoot) node.range = { ...range };
  }
  capRows(root, options.maxRows);
  return root;
}
