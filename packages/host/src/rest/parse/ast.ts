/** One step into a JSON value: by key, or by position when `key` is a number. */
export interface JsonStep {
  key: string | number;
  /** `->>`: the result is text. */
  asText: boolean;
}

/** What the patterns among the filters amount to. */
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

/** A column of the answer. `name` of the field is `*` for all of them. */
export interface FieldItem {
  kind: "field";
  field: FieldRef;
  alias?: string;
  cast?: string;
  aggregate?: Aggregate;
  aggregateCast?: string;
}

/** A related table inside the answer. */
export interface EmbedItem {
  kind: "embed";
  target: string;
  alias?: string;
  /** What stands after `!`: a constraint, a column or a join table. */
  hint?: string;
  join: "inner" | "left";
  /** `...`: the columns become columns of the parent. */
  spread: boolean;
  items: readonly SelectItem[];
}

export type SelectItem = FieldItem | EmbedItem;

export type Quantifier = "any" | "all";

/** What is asked of a field. Operators are SQL text out of a fixed list. */
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
  /** Name of the embed whose column decides, when it is not the node's own. */
  embed?: string;
  field: FieldRef;
  direction?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** AliasedSource to skip and at most to return. */
export interface Range {
  offset: number;
  limit?: number;
}

/** A query string. Paths name embeds from the outside in; an empty path is the table itself. */
export interface Query {
  select: readonly SelectItem[];
  conditions: readonly { path: readonly string[]; condition: FilterTree }[];
  patterns: PatternUse;
  orders: readonly { path: readonly string[]; terms: readonly OrderTerm[] }[];
  ranges: readonly { path: readonly string[]; range: Range }[];
  columns?: readonly string[];
  onConflict?: readonly string[];
  /** Arguments of a function called by GET. */
  args: readonly (readonly [string, string])[];
}
