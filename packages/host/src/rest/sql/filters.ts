// Writes filters as SQL conditions, with their values as parameters.

import { RestError } from "../errors.ts";
import type { FilterTree, FieldRef, FilterOperation } from "../parse/ast.ts";
import { fieldSql, fieldType, type SqlContext, type AliasedSource } from "./fields.ts";
import { arrayLiteral, type StatementValues } from "./values.ts";

/** SQL that is true when the embed of that name has rows; undefined when there is no such embed. */
type EmbedPresence = (name: string) => string | undefined;

function searchSql(
  rows: AliasedSource,
  field: FieldRef,
  operation: FilterOperation & { kind: "search" },
  values: StatementValues,
) {
  const language = () =>
    operation.language === undefined ? "" : `${values.add(operation.language)}::regconfig, `;
  const sql = fieldSql(rows, field, values);
  const vector = fieldType(rows, field) === "tsvector" ? sql : `to_tsvector(${language()}${sql})`;
  return `${vector} @@ ${operation.operator}(${language()}${values.add(operation.value)})`;
}

function operationSql(
  rows: AliasedSource,
  field: FieldRef,
  operation: FilterOperation,
  values: StatementValues,
): string {
  if (operation.kind === "search") return searchSql(rows, field, operation, values);
  const sql = fieldSql(rows, field, values);
  switch (operation.kind) {
    case "compare": {
      const value = values.add(
        operation.pattern ? operation.value.replaceAll("*", "%") : operation.value,
      );
      const right =
        operation.quantifier === undefined ? value : `${operation.quantifier}(${value})`;
      return `${sql} ${operation.operator} ${right}`;
    }
    case "in":
      if (operation.values.length === 1 && operation.values[0] === "") return `${sql} = any('{}')`;
      return `${sql} = any(${values.add(arrayLiteral(operation.values))})`;
    case "is":
      return `${sql} is ${operation.what}`;
    case "distinct":
      return `${sql} is distinct from ${values.add(operation.value)}`;
  }
}

function embedSql(
  field: FieldRef,
  operation: FilterOperation,
  rows: AliasedSource,
  presence: EmbedPresence,
) {
  if (field.path.length > 0) return undefined;
  const present = presence(field.name);
  if (present === undefined) return undefined;
  if (operation.kind === "is" && operation.what === "null") return `not (${present})`;
  if (operation.kind === "is" && operation.what === "not null") return present;
  if (rows.source.columns.has(field.name)) return undefined;
  throw new RestError(400, "PGRST120", `Bad operator on the '${field.name}' embedded resource`, {
    details: "Only is null or not is null filters are allowed on embedded resources",
  });
}

/** SQL of a filter or a logic group. `presence` looks up the embeds of the rows. */
export function filterTreeSql(
  rows: AliasedSource,
  condition: FilterTree,
  context: SqlContext,
  presence: EmbedPresence,
): string {
  const not = condition.negated ? "not " : "";
  if (condition.kind === "group") {
    const parts = condition.parts.map((part) => filterTreeSql(rows, part, context, presence));
    return `${not}(${parts.join(` ${condition.joint} `)})`;
  }
  const { field, operation } = condition;
  const sql =
    embedSql(field, operation, rows, presence) ??
    operationSql(rows, field, operation, context.values);
  return `${not}(${sql})`;
}
