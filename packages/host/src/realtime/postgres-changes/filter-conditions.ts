// Parses filters such as `room=eq.1`, and turns conditions into SQL or, where possible, into comparisons of text.

/** One condition of a subscription's filter, as the client wrote it. */
export interface Condition {
  column: string;
  operator: string;
  negated: boolean;
  /** The operand; several only for `in`. */
  values: readonly string[];
}

/** An invalid filter. `message` completes "Error parsing `filter` params: …". */
export class FilterError extends Error {
  override readonly name = "FilterError";
}

const operators = new Set(
  "eq neq lt lte gt gte in like ilike is match imatch isdistinct".split(" "),
);
const maxFilterLength = 8_000;
const maxListValues = 100;
const maxConditions = 100;

/** Timeout of one filter with a batch of changes, and of validating a pattern. Milliseconds. */
export const filterTimeoutMs = 500;

/** Splits at commas outside quotes and parentheses. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let current = "";
  let previous = "";
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quoted && char === "\\") {
      current += char + text.charAt(++at);
      previous = "\\";
      continue;
    }
    if (quoted) quoted = char !== '"';
    else if (char === '"' && ["", ".", "(", ","].includes(previous)) quoted = true;
    else if (char === "(") depth += 1;
    else if (char === ")") depth = Math.max(0, depth - 1);
    if (char === "," && depth === 0 && !quoted) {
      parts.push(current);
      current = "";
    } else {
      current += char;
    }
    previous = char;
  }
  parts.push(current);
  return parts;
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\(.)/g, "$1");
}

function parseCondition(text: string): Condition {
  const match = /^\s*([^=]+)=(not\.)?([a-z]+)\.([\s\S]*)$/.exec(text);
  const [, column = "", negation, operator = "", operand = ""] = match ?? [];
  if (!operators.has(operator)) throw new FilterError(JSON.stringify([text]));
  const base = { column: unquote(column.trim()), operator, negated: negation !== undefined };
  if (operator !== "in") return { ...base, values: [unquote(operand)] };
  const list = /^\(([\s\S]*)\)$/.exec(operand.trim())?.[1];
  if (list === undefined) throw new FilterError("`in` filter value must be wrapped by parentheses");
  const values = list === "" ? [] : splitTopLevel(list).map((value) => unquote(value.trim()));
  if (values.length > maxListValues) {
    throw new FilterError("too many values for `in` filter. Maximum 100");
  }
  return { ...base, values };
}

/**
 * The conditions of a filter such as `room=eq.1,state=in.(new,worn)`; all must hold.
 * @throws {FilterError}
 */
export function parseFilter(text: string): Condition[] {
  if (text.trim() === "") return [];
  if (text.length > maxFilterLength) {
    throw new FilterError(`filter is too long. Maximum ${maxFilterLength} characters`);
  }
  const conditions = splitTopLevel(text.trim());
  if (conditions.length > maxConditions) {
    throw new FilterError("too many conditions in filter. Maximum 100");
  }
  return conditions.map(parseCondition);
}

const patternOperators = new Set(["like", "ilike", "match", "imatch"]);
const regexOperators = new Set(["match", "imatch"]);

/** True when the operand decides how long it takes; all other operators are simple comparisons. */
export function hasPattern(conditions: readonly Condition[]): boolean {
  return conditions.some(({ operator }) => patternOperators.has(operator));
}

export function hasRegex(conditions: readonly Condition[]): boolean {
  return conditions.some(({ operator }) => regexOperators.has(operator));
}

const sqlOperators: Readonly<Record<string, string>> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  in: "= any",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
  isdistinct: "is distinct from",
};
const isKeywords = new Set(["null", "true", "false", "unknown"]);

/** The operand as passed to Postgres: text, or a list of texts for `in`. */
export function operandOf({ operator, values }: Condition): string | readonly string[] {
  return operator === "in" ? values : (values[0] ?? "");
}

/**
 * The condition in SQL over `value`, an expression of type `type`.
 * @param type as `format_type` writes it
 * @param operand a parameter or a literal that holds `operandOf`
 * @throws {FilterError}
 */
export function conditionSql(
  condition: Condition,
  value: string,
  type: string,
  operand: string,
): string {
  const { operator, values } = condition;
  const [first = ""] = values;
  if (operator === "is") {
    if (!isKeywords.has(first)) {
      throw new FilterError("invalid value for is filter: must be null, true, false, or unknown");
    }
    return `(${operand}::text is not null and ${value} is ${condition.negated ? "not " : ""}${first})`;
  }
  const symbol = sqlOperators[operator];
  if (symbol === undefined) throw new FilterError(JSON.stringify([operator]));
  const typed = operator === "in" ? `(${operand}::text[]::${type}[])` : `${operand}::text::${type}`;
  return `${condition.negated ? "not " : ""}(${value} ${symbol} ${typed})`;
}

/** Types whose text form is the same for equal values, so that equality is a comparison of text. */
const canonicalTypes = new Set(["int2", "int4", "int8", "uuid", "text", "varchar", "bool"]);

/**
 * A check of stored text in this process, for the most common conditions;
 * undefined where only Postgres knows.
 * @param canonical the operands as Postgres would print them
 */
export function localCheck(
  condition: Condition,
  typeName: string,
  canonical: readonly string[],
): ((value: string | null) => boolean) | undefined {
  if (!canonicalTypes.has(typeName)) return undefined;
  const wanted = new Set(canonical);
  const { operator, negated } = condition;
  if (operator === "eq" || operator === "in") {
    return (value) => value !== null && wanted.has(value) !== negated;
  }
  if (operator === "neq") return (value) => value !== null && wanted.has(value) === negated;
  return undefined;
}
