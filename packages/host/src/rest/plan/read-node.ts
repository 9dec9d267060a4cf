// Types of the read tree that planning and SQL generation share: nodes, embeds and the sources of their rows.

import type { ComputedField, Column, Relationship, Relation } from "../schema-cache/model.ts";
import type { FilterTree, FieldItem, OrderTerm, RowRange } from "../parse/ast.ts";

/** Where the rows of a node come from, and the columns in which its fields are looked up. */
export interface RowSource {
  /** Name used in error messages. */
  label: string;
  /** The table or view of the rows; undefined for other results of a function. */
  relation: Relation | undefined;
  columns: ReadonlyMap<string, Column>;
  computed: ReadonlyMap<string, ComputedField>;
  /** True when the rows are the result of a mutation or a call rather than read from the table. */
  isResult: boolean;
}

/** A node of the read tree: the rows of the response, or rows embedded in them. */
export interface ReadNode {
  source: RowSource;
  /** Alias of the rows in SQL. */
  alias: string;
  fields: readonly FieldItem[];
  embeds: Embed[];
  conditions: FilterTree[];
  order: OrderTerm[];
  range: RowRange;
}

/** An embedded node. */
export interface Embed {
  /** Name in the response, and in filters and orders. */
  name: string;
  /** Name of the target as requested; filters may use it even when there is an alias. */
  target: string;
  /** Alias of the joined rows in SQL. */
  alias: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  /** False for `rel()`, which only filters. */
  visible: boolean;
  node: ReadNode;
}

/** Generates aliases that are unique within one statement. */
export class Aliases {
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}${this.#count}`;
  }
}

export function sourceOf(relation: Relation, isResult = false): RowSource {
  const { name, columns, computed } = relation;
  return { label: name, relation, columns, computed, isResult };
}

/** The name of a field in the response. */
export function outputName(item: FieldItem): string {
  if (item.alias !== undefined) return item.alias;
  if (item.aggregate !== undefined) return item.aggregate;
  const key = item.field.path.findLast((step) => typeof step.key === "string")?.key;
  return typeof key === "string" ? key : item.field.name;
}
