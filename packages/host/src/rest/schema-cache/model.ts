/** A column as the schema cache has it. Types are written so that they mean the same under any search path. */
export interface Column {
  name: string;
  /** Type with its modifiers, as `character varying(20)` or `"public"."state"`. */
  type: string;
  /** Type below all domains, as `text` or `pg_catalog.jsonb`. */
  baseType: string;
  /** SQL of the default, where there is one a row may fall back to. */
  default: string | null;
}

/** A function over a table's row type, used as if it were a column. */
export interface ComputedField {
  schema: string;
  name: string;
}

/** A table or view that requests may name. */
export interface Relation {
  oid: number;
  schema: string;
  name: string;
  isView: boolean;
  /** True when row-level security is on. */
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

/** A way from one relation to another, seen from `from`. */
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
      /** Constraints from the junction to either side. */
      constraints: readonly [from: string, to: string];
      /** Columns of `from` and of the junction, and of the junction and of `to`. */
      columns: readonly ColumnPair[];
      junctionColumns: readonly ColumnPair[];
    }
  | { kind: "computed"; function: ComputedField; single: boolean }
);

/** True where a relationship leads to one row at most, so that the embed is an object. */
export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === "computed") return relationship.single;
  return relationship.kind === "many-to-one" || relationship.kind === "one-to-one";
}

export interface Parameter {
  /** Empty for an unnamed one. */
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
  /** Table or view whose rows it returns. */
  relation: Relation | undefined;
  /** Columns of a row that is no table's, from OUT and TABLE arguments or a composite type. */
  columns: ReadonlyMap<string, Column>;
  /** Settings of the function that must hold before it is called. */
  statementTimeout: string | undefined;
  isolation: string | undefined;
}

/** What a role carries into every request made as it. */
export interface RoleSettings {
  settings: readonly (readonly [name: string, value: string])[];
  isolation: string | undefined;
  /** True when policies do not hold for the role. */
  bypassesRls: boolean;
}

/** Settings an operator gives to all requests with `alter role authenticator set pgrst.…`. */
export interface ApiSettings {
  aggregates: boolean;
  rollbackAllowed: boolean;
  maxRows: number | undefined;
  /** Function that runs as the caller before each request and may refuse it; written as in SQL. */
  preRequest: string | undefined;
}

/** What the database offers to requests, at one moment. */
export interface SchemaCache {
  /** Changes when anything below may have changed. */
  fingerprint: string;
  relations: ReadonlyMap<string, ReadonlyMap<string, Relation>>;
  relationships: ReadonlyMap<Relation, readonly Relationship[]>;
  routines: ReadonlyMap<string, ReadonlyMap<string, readonly Routine[]>>;
  /** Names a cast may use, and the type each one means. */
  types: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, RoleSettings>;
  api: ApiSettings;
}

export function findRelation(
  schemaCache: SchemaCache,
  schema: string,
  name: string,
): Relation | undefined {
  return schemaCache.relations.get(schema)?.get(name);
}
