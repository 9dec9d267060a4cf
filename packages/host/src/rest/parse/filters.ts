// Parses PostgREST's filter operators (`eq.5`, `not.in.(1,2)`) and the logic of `and=(…)` and `or=(…)`.

import { tooComplex } from "../errors.ts";
import type { FilterTree, Quantifier, FilterOperation } from "./ast.ts";
import { readField } from "./fields.ts";
import { queryLimits } from "./query-limits.ts";
import { Scanner } from "./scanner.ts";

const plainOperators: Readonly<Record<string, string>> = {
  neq: "<>",
  cs: "@>",
  cd: "<@",
  ov: "&&",
  sl: "<<",
  sr: ">>",
  nxr: "&<",
  nxl: "&>",
  adj: "-|-",
};
const quantifiedOperators: Readonly<Record<string, string>> = {
  eq: "=",
  gte: ">=",
  gt: ">",
  lte: "<=",
  lt: "<",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
};
const searchOperators: Readonly<Record<string, string>> = {
  fts: "to_tsquery",
  plfts: "plainto_tsquery",
  phfts: "phraseto_tsquery",
  wfts: "websearch_to_tsquery",
};
const operatorPattern = /[a-z]+/y;
const quantifierPattern = /\((any|all)\)/y;
const languagePattern = /\([\p{L}\p{N}_ $]+\)/uy;
const isValuePattern = /(not_null|null|true|false|unknown)/iy;

/** Reads the value of a filter: to the end of the parameter, or to `,` or `)` inside `or=(…)`. */
type ReadValue = (scanner: Scanner) => string;

const wholeValue: ReadValue = (scanner) => scanner.match(/[^]*/y) ?? "";

/** True at the end of a list element. */
function endsElement(scanner: Scanner): boolean {
  return scanner.atEnd || ",)".includes(scanner.next);
}

function quotedElement(scanner: Scanner): string | undefined {
  const start = scanner.position;
  const quoted = scanner.quoted();
  if (quoted !== undefined && endsElement(scanner)) return quoted;
  scanner.position = start;
  return undefined;
}

const treeValue: ReadValue = (scanner) =>
  quotedElement(scanner) ?? scanner.match(/\{[^{}]*\}/y) ?? scanner.match(/[^,)]*/y) ?? "";

function readList(scanner: Scanner): string[] {
  scanner.skipSpace();
  scanner.expect("(");
  scanner.skipSpace();
  const values: string[] = [];
  do {
    if (values.length >= queryLimits.listValues) {
      throw tooComplex(`a list may hold at most ${queryLimits.listValues} values`);
    }
    values.push(quotedElement(scanner) ?? scanner.match(/[^,)]*/y) ?? "");
  } while (scanner.eat(","));
  scanner.expect(")");
  scanner.skipSpace();
  return values;
}

function readOperation(scanner: Scanner, readValue: ReadValue): FilterOperation {
  const start = scanner.position;
  const unknown = () => {
    scanner.position = start;
    return scanner.error('"not" or operator (eq, gt, ...)');
  };
  const word = scanner.match(operatorPattern) ?? "";
  if (word === "in" && scanner.eat(".")) return { kind: "in", values: readList(scanner) };
  if (word === "is" && scanner.eat(".")) {
    const what = scanner.match(isValuePattern)?.toLowerCase();
    if (what === undefined) throw scanner.error("null, not_null, true, false or unknown");
    return { kind: "is", what: what.replace("_", " ") as "null" };
  }
  if (word === "isdistinct" && scanner.eat(".")) {
    return { kind: "distinct", value: readValue(scanner) };
  }
  if (Object.hasOwn(searchOperators, word)) {
    const language = scanner.match(languagePattern)?.slice(1, -1).trim();
    if (!scanner.eat(".")) throw unknown();
    const operator = searchOperators[word] ?? "";
    const value = readValue(scanner);
    return { kind: "search", operator, value, ...(language !== undefined && { language }) };
  }
  if (Object.hasOwn(plainOperators, word) && scanner.eat(".")) {
    const operator = plainOperators[word] ?? "";
    return { kind: "compare", operator, value: readValue(scanner), pattern: false };
  }
  if (!Object.hasOwn(quantifiedOperators, word)) throw unknown();
  const quantifier = scanner.match(quantifierPattern)?.slice(1, -1);
  if (!scanner.eat(".")) throw unknown();
  return {
    kind: "compare",
    operator: quantifiedOperators[word] ?? "",
    value: readValue(scanner),
    pattern: word === "like" || word === "ilike",
    ...(quantifier !== undefined && { quantifier: quantifier as Quantifier }),
  };
}

function readNegatedOperation(scanner: Scanner, readValue: ReadValue) {
  const negated = scanner.eat("not.");
  return { negated, operation: readOperation(scanner, readValue) };
}

/**
 * Reads the value of a filter such as `eq.5` or `not.in.(1,2)`.
 * @throws {RestError} PGRST100
 */
export function parseOperation(text: string): { negated: boolean; operation: FilterOperation } {
  const scanner = new Scanner(text, "filter");
  const result = readNegatedOperation(scanner, wholeValue);
  scanner.expectEnd();
  return result;
}

/**
 * Reads `or=(…)`, `and=(…)` and their negations; `operator` is the last word of the key.
 * @throws {RestError} PGRST100
 */
export function parseTree(operator: string, negated: boolean, text: string): FilterTree {
  const scanner = new Scanner(text, "logic tree");
  const parts = readParts(scanner, 1);
  scanner.expectEnd();
  return { kind: "group", negated, joint: operator === "or" ? "or" : "and", parts };
}

function readParts(scanner: Scanner, depth: number): FilterTree[] {
  if (depth > queryLimits.filterDepth) {
    throw tooComplex(`conditions may nest at most ${queryLimits.filterDepth} deep`);
  }
  scanner.skipSpace();
  scanner.expect("(");
  const parts: FilterTree[] = [];
  do {
    scanner.skipSpace();
    parts.push(readPart(scanner, depth));
    scanner.skipSpace();
  } while (scanner.eat(","));
  scanner.expect(")");
  scanner.skipSpace();
  return parts;
}

function readPart(scanner: Scanner, depth: number): FilterTree {
  const group = /(not\.)?(and|or)(?=[ \t]*\()/y;
  const head = scanner.match(group);
  if (head !== undefined) {
    const negated = head.startsWith("not.");
    const joint = head.endsWith("or") ? "or" : "and";
    return { kind: "group", negated, joint, parts: readParts(scanner, depth + 1) };
  }
  const field = readField(scanner);
  scanner.expect(".");
  return { kind: "filter", field, ...readNegatedOperation(scanner, treeValue) };
}
