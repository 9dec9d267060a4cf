import type { ComputedField, Column, Relationship, Relation } from "../schema-cache/model.ts";
import type { FilterTree, FieldItem, OrderTerm, Range } from "../parse/ast.ts";

/** What the fields of a node are looked up in. */
export interface RowSource {
  /** Name in error messages. */
  label: string;
  /** Table or view, where the rows are one's. */
  relation: Relation | undefined;
  columns: ReadonlyMap<string, Column>;
  computed: ReadonlyMap<string, ComputedField>;
  /** True when rows come from a statement of their own (a change or a call) rather than from the table. */
  isResult: boolean;
}

/** AliasedSource to be read: the answer itself, or what is embedded in it. */
export interface ReadNode {
  source: RowSource;
  /** Name of the rows in SQL. */
  alias: string;
  fields: readonly FieldItem[];
  embeds: Embed[];
  conditions: FilterTree[];
  order: OrderTerm[];
  range: Range;
}

/** A node inside another one. */
export interface Embed {
  /** Name in the answer, and in filters and orders. */
  name: string;
  /** Name of the table as requested; filters may use it even when there is an alias. */
  target: string;
  /** Name of the joined rows in SQL. */
  alias: string;
  relationship: Relationship;
  inner: boolean;
  spread: boolean;
  /** False for `rel()`: it only filters. */
  visible: boolean;
  node: ReadNode;
}

/** Gives every table and join of one statement a name of its own. */
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

/** The name a field has in the answer. */
export function outputName(item: FieldItem): string {
  if (item.alias !== undefined) return item.alias;
  if (item.aggregate !== undefined) return item.aggregate;
  const key = item.field.path.findLast((step) => typeof step.key === "string")?.key;
  return typeof key === "string" ? key : item.field.name;
}
