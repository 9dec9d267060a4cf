// Types of a parsed query string, before any name in it is looked up.

/** One step into a JSON value: by key, or by position when `key` is a number. */
export interface JsonStep {
  key: string | number;
  /** `->>`: the result is text. */
  asText: boolean;
}

/** How the filters of a query use patterns. */
export interface PatternUse {
  usesRegex: boolean;
  /** Characters of the longest pattern that is not a regular expression. */
  longestPattern: number;
}

/** A column, or a value inside a JSON column. */
export interface FieldRef {
  name: string;
  path: readonly JsonStep[];
}

export type Aggregate = "sum" | "avg" | "count" | "max" | "min";

/** A selected column. The field's name is `*` for all columns. */
export interface FieldItem {
  kind: "field";
  field: FieldRef;
  alias?: string;
  cast?: string;
  aggregate?: Aggregate;
  aggregateCast?: string;
}

/** An embedded resource. */
export interface EmbedItem {
  kind: "embed";
  target: string;
  alias?: string;
  /** The hint after `!`: a constraint, a column or a join table. */
  hint?: string;
  join: "inner" | "left";
  /** True for `...`: the columns become columns of the parent. */
  spread: boolean;
  items: readonly SelectItem[];
}

export type SelectItem = FieldItem | EmbedItem;

export type Quantifier = "any" | "all";

/** The operator and value of a filter. Operators are SQL text from a fixed list. */
export type FilterOperation =
  | { kind: "compare"; operator: string; value: string; quantifier?: Quantifier; pattern: boolean }
  | { kind: "in"; values: readonly string[] }
  | { kind: "is"; what: "null" | "not null" | "true" | "false" | "unknown" }
  | { kind: "distinct"; value: string }
  | { kind: "search"; operator: string; language?: string; value: string };

export type FilterTree =
  | { kind: "group"; negated: boolean; joint: "and" | "or"; parts: readonly FilterTree[] }
  | { kind: "filter"; negated: boolean; field: FieldRef; operation: FilterOperation };

export interface OrderTerm {
  /** Name of the embed whose column is ordered by, when it is not the node's own column. */
  embed?: string;
  field: FieldRef;
  direction?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** Rows to skip, and most rows to return. */
export interface RowRange {
  offset: number;
  limit?: number;
}

/** A parsed query string. Paths name embeds from the outside in; an empty path is the table itself. */
export interface ParsedQuery {
  select: readonly SelectItem[];
  conditions: readonly { path: readonly string[]; condition: FilterTree }[];
  patterns: PatternUse;
  orders: readonly { path: readonly string[]; terms: readonly OrderTerm[] }[];
  ranges: readonly { path: readonly string[]; range: RowRange }[];
  columns?: readonly string[];
  onConflict?: readonly string[];
  /** Arguments of a function called by GET. */
  args: readonly (readonly [string, string])[];
}
