import { RestError } from "../errors.ts";
import type { Condition, Field, Test } from "../parse/ast.ts";
import { fieldSql, fieldType, type Rendering, type Rows } from "./fields.ts";
import { arrayLiteral, type Values } from "./values.ts";

/** SQL that is true where an embed has rows; undefined when no embed has the name. */
type EmbedPresence = (name: string) => string | undefined;

function searchSql(rows: Rows, field: Field, test: Test & { kind: "search" }, values: Values) {
  const language = () =>
    test.language === undefined ? "" : `${values.add(test.language)}::regconfig, `;
  const sql = fieldSql(rows, field, values);
  const vector = fieldType(rows, field) === "tsvector" ? sql : `to_tsvector(${language()}${sql})`;
  return `${vector} @@ ${test.operator}(${language()}${values.add(test.value)})`;
}

function testSql(rows: Rows, field: Field, test: Test, values: Values): string {
  if (test.kind === "search") return searchSql(rows, field, test, values);
  const sql = fieldSql(rows, field, values);
  switch (test.kind) {
    case "compare": {
      const value = values.add(test.pattern ? test.value.replaceAll("*", "%") : test.value);
      const right = test.quantifier === undefined ? value : `${test.quantifier}(${value})`;
      return `${sql} ${test.operator} ${right}`;
    }
    case "in":
      if (test.values.length === 1 && test.values[0] === "") return `${sql} = any('{}')`;
      return `${sql} = any(${values.add(arrayLiteral(test.values))})`;
    case "is":
      return `${sql} is ${test.what}`;
    case "distinct":
      return `${sql} is distinct from ${values.add(test.value)}`;
  }
}

function embedSql(field: Field, test: Test, rows: Rows, presence: EmbedPresence) {
  if (field.path.length > 0) return undefined;
  const present = presence(field.name);
  if (present === undefined) return undefined;
  if (test.kind === "is" && test.what === "null") return `not (${present})`;
  if (test.kind === "is" && test.what === "not null") return present;
  if (rows.source.columns.has(field.name)) return undefined;
  throw new RestError(400, "PGRST120", `Bad operator on the '${field.name}' embedded resource`, {
    details: "Only is null or not is null filters are allowed on embedded resources",
  });
}

/** SQL of one condition on rows whose embeds `presence` knows. */
export function conditionSql(
  rows: Rows,
  condition: Condition,
  rendering: Rendering,
  presence: EmbedPresence,
): string {
  const not = condition.negated ? "not " : "";
  if (condition.kind === "group") {
    const parts = condition.parts.map((part) => conditionSql(rows, part, rendering, presence));
    return `${not}(${parts.join(` ${condition.joint} `)})`;
  }
  const { field, test } = condition;
  const sql = embedSql(field, test, rows, presence) ?? testSql(rows, field, test, rendering.values);
  return `${not}(${sql})`;
}
