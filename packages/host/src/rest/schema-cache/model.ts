// Types of the schema cache: tables, views, columns, relationships and functions.

/** A column of a relation. Types are schema-qualified, so that they mean the same under any search path. */
export interface Column {
  name: string;
  /** Type with its modifiers, as `character varying(20)` or `"public"."state"`. */
  type: string;
  /** Base type below all domains, as `text` or `pg_catalog.jsonb`. */
  baseType: string;
  /** SQL of the default; null when there is none. */
  default: string | null;
}

/** A function over a table's row type that can be used like a column. */
export interface ComputedField {
  schema: string;
  name: string;
  /** Base type below all domains, as `tsvector`. */
  baseType: string;
}

/** A table or view that requests may name. */
export interface Relation {
  oid: number;
  schema: string;
  name: string;
  isView: boolean;
  /** True when row-level security is enabled. */
  rowSecurity: boolean;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
  computed: ReadonlyMap<string, ComputedField>;
}

/** A pair of columns that a join compares. */
export type ColumnPair = readonly [from: string, to: string];

/** A relationship between two relations, seen from `from`. */
export type Relationship = {
  from: Relation;
  to: Relation;
} & (
  | {
      kind: "many-to-one" | "one-to-many" | "one-to-one";
      constraint: string;
      columns: readonly ColumnPair[];
    }
  | {
      kind: "many-to-many";
      junction: Relation;
      /** Foreign keys of the junction to both sides. */
      constraints: readonly [from: string, to: string];
      /** Column pairs of `from` and the junction; `junctionColumns` pairs the junction with `to`. */
      columns: readonly ColumnPair[];
      junctionColumns: readonly ColumnPair[];
    }
  | { kind: "computed"; function: ComputedField; single: boolean }
);

/** True when a relationship leads to at most one row, so that the embed is an object. */
export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === "computed") return relationship.single;
  return relationship.kind === "many-to-one" || relationship.kind === "one-to-one";
}

export interface Parameter {
  /** Empty for an unnamed parameter. */
  name: string;
  type: string;
  required: boolean;
  variadic: boolean;
}

/** A function that requests may call. */
export interface Routine {
  oid: number;
  schema: string;
  name: string;
  parameters: readonly Parameter[];
  volatility: "immutable" | "stable" | "volatile";
  returns: "void" | "scalar" | "row";
  returnsSet: boolean;
  /** Table or view whose rows the function returns. */
  relation: Relation | undefined;
  /** Result columns from OUT and TABLE parameters or a composite type. */
  columns: ReadonlyMap<string, Column>;
  /** The function's `set statement_timeout`, which must be set before it is called. */
  statementTimeout: string | undefined;
  isolation: string | undefined;
}

/** Settings of a role that apply to every request made as it. */
export interface RoleSettings {
  settings: readonly (readonly [name: string, value: string])[];
  isolation: string | undefined;
  /** True when the role bypasses row-level security. */
  bypassesRls: boolean;
}

/** The operator's settings for all requests, made with `alter role authenticator set pgrst.…`. */
export interface ApiSettings {
  aggregates: boolean;
  /** True when a request may choose how its transaction ends, by `Prefer: tx=…`. */
  choosesEnd: boolean;
  /** True when transactions are rolled back unless the request chooses otherwise. */
  rollsBack: boolean;
  maxRows: number | undefined;
  /** Function that runs as the caller before each request and may refuse it; a quoted SQL name. */
  preRequest: string | undefined;
}

/** Everything in the database that requests can name, as of one moment. */
export interface SchemaCache {
  /** Changes whenever anything below may have changed. */
  fingerprint: string;
  relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>;
  relationships: ReadonlyMap<Relation, readonly Relationship[]>;
  routines: ReadonlyMap<string, ReadonlyMap<string, readonly Routine[]>>;
  /** Type names that a cast may use, and the type each one stands for. */
  types: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, RoleSettings>;
  api: ApiSettings;
  /** Names of the operator's `pgrst.…` settings that have no effect here. */
  ignoredSettings: readonly string[];
}

export function findRelation(
  schemaCache: SchemaCache,
  schema: string,
  name: string,
): Relation | undefined {
  return schemaCache.relations.get(schema)?.get(name);
}
