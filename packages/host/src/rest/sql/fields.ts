// Writes columns, computed fields, JSON paths and casts as SQL.

import type { SchemaCache } from "../schema-cache/model.ts";
import { undefinedColumn, RestError } from "../errors.ts";
import type { FieldRef, JsonStep } from "../parse/ast.ts";
import type { RowSource } from "../plan/read-node.ts";
import { qualifiedName, quoteName, type StatementValues } from "./values.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** A source of rows and its alias in SQL. */
export interface AliasedSource {
  source: RowSource;
  alias: string;
}

/** What is needed to write one SQL statement from a plan. */
export interface SqlContext {
  schemaCache: SchemaCache;
  values: StatementValues;
  /** Most bytes of a list embedded in one row. */
  maxListBytes: number;
}

/**
 * SQL of a column or a computed field.
 * @throws {RestError} 42703 when the table has neither
 */
export function columnSql({ source, alias }: AliasedSource, name: string): string {
  if (source.columns.has(name)) return `${quoteName(alias)}.${quoteName(name)}`;
  const computed = source.computed.get(name);
  if (computed === undefined) throw undefinedColumn(source.label, name);
  // Rows returned by a mutation or a call already contain the computed value.
  if (source.isResult) return `${quoteName(alias)}.${quoteName(name)}`;
  return `${qualifiedName(computed)}(${quoteName(alias)})`;
}

/** Base type of a field's value, below all domains; undefined when it is not known. */
export function fieldType({ source }: AliasedSource, field: FieldRef): string | undefined {
  const last = field.path.at(-1);
  if (last !== undefined) return last.asText ? "text" : "jsonb";
  return (source.columns.get(field.name) ?? source.computed.get(field.name))?.baseType;
}

function stepSql(step: JsonStep, values: StatementValues): string {
  const arrow = step.asText ? "->>" : "->";
  const key = typeof step.key === "number" ? `${step.key}` : `${values.add(step.key)}::text`;
  return `${arrow} ${key.startsWith("-") ? `(${key})` : key}`;
}

/** SQL of a field with its JSON path. */
export function fieldSql(rows: AliasedSource, field: FieldRef, values: StatementValues): string {
  const column = columnSql(rows, field.name);
  if (field.path.length === 0) return column;
  const type = fieldType(rows, { name: field.name, path: [] });
  const json = type === "json" || type === "jsonb" ? column : `to_jsonb(${column})`;
  return `(${json} ${field.path.map((step) => stepSql(step, values)).join(" ")})`;
}

/**
 * The type that the name in a cast stands for.
 * @throws {RestError} 42704
 */
export function castType(schemaCache: SchemaCache, name: string): string {
  const type = schemaCache.types.get(name) ?? schemaCache.types.get(name.toLowerCase());
  if (type === undefined)
    throw new RestError(400, sqlStates.undefinedObject, `type "${name}" does not exist`);
  return type;
}
