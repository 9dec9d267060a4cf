// Turns a PostgREST query string into the tree that `rest/plan` works on.

import { tooComplex, rangeNotSatisfiable } from "../errors.ts";
import type { FilterTree, OrderTerm, ParsedQuery, RowRange } from "./ast.ts";
import { parseOperation, parseTree } from "./filters.ts";
import { readTreePath } from "./fields.ts";
import { parseOrder } from "./order.ts";
import { collectPatternUse } from "./pattern-limits.ts";
import { queryLimits } from "./query-limits.ts";
import { Scanner } from "./scanner.ts";
import { parseSelect } from "./select.ts";

const filterPattern = /^[a-z]+(\([^)]*\))?\./;
/** Parameters that never name a column. `apikey` carries the key when a browser cannot send headers. */
const reservedParameters = new Set(["select", "columns", "on_conflict", "apikey"]);

function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function parsePath(key: string): string[] {
  const scanner = new Scanner(key, "tree path");
  const { path } = readTreePath(scanner);
  scanner.expectEnd();
  return path;
}

function parseNames(text: string | null, what: string): string[] | undefined {
  if (text === null) return undefined;
  const scanner = new Scanner(text, what);
  const names: string[] = [];
  do {
    scanner.skipSpace();
    if (names.length >= queryLimits.names) {
      throw tooComplex(`the ${what} may name at most ${queryLimits.names} columns`);
    }
    names.push(scanner.name());
    scanner.skipSpace();
  } while (scanner.eat(","));
  scanner.expectEnd();
  return names;
}

/** Parses an integer; anything else is ignored. */
function wholeNumber(text: string): number | undefined {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function parseLogic(key: string, value: string): { path: string[]; condition: FilterTree } {
  const path = parsePath(key);
  const negated = path.includes("not");
  return {
    path: path.filter((name) => name !== "not"),
    condition: parseTree(lastSegment(key), negated, value),
  };
}

function countFilters(condition: FilterTree): number {
  return condition.kind === "filter"
    ? 1
    : condition.parts.reduce((sum, part) => sum + countFilters(part), 0);
}

/** @throws {RestError} PGRST100 */
function assertFilterLimits(
  conditions: ParsedQuery["conditions"],
  orders: ParsedQuery["orders"],
): void {
  const tests = conditions.reduce((sum, { condition }) => sum + countFilters(condition), 0);
  if (tests > queryLimits.filters) {
    throw tooComplex(`a query may have at most ${queryLimits.filters} filters`);
  }
  if (orders.reduce((sum, { terms }) => sum + terms.length, 0) > queryLimits.orderTerms) {
    throw tooComplex(`a query may order by at most ${queryLimits.orderTerms} columns`);
  }
}

/**
 * Parses a query string.
 * @param takesArgs true for a function called by GET: parameters that are not filters are its arguments.
 * @throws {RestError} PGRST100, PGRST103
 */
export function parseQuery(parameters: URLSearchParams, takesArgs: boolean): ParsedQuery {
  const conditions: { path: string[]; condition: FilterTree }[] = [];
  const orders: { path: string[]; terms: OrderTerm[] }[] = [];
  const ranges = new Map<string, { path: string[]; range: RowRange }>();
  const args: [string, string][] = [];
  let count = 0;
  const rangeAt = (key: string): RowRange => {
    const path = parsePath(key);
    const id = JSON.stringify(path);
    const known = ranges.get(id) ?? { path, range: { offset: 0 } };
    ranges.set(id, known);
    return known.range;
  };
  for (const [key, value] of parameters) {
    count += 1;
    if (count > queryLimits.parameters) {
      throw tooComplex(`a query may have at most ${queryLimits.parameters} parameters`);
    }
    if (reservedParameters.has(key)) continue;
    const word = lastSegment(key);
    if (word === "order") {
      if (value !== "") orders.push({ path: parsePath(key), terms: parseOrder(value) });
    } else if (word === "limit") {
      const limit = wholeNumber(value);
      if (limit === undefined) continue;
      if (limit < 0) throw rangeNotSatisfiable("Limit should be greater than or equal to zero.");
      rangeAt(key).limit = limit;
    } else if (word === "offset") {
      rangeAt(key).offset = Math.max(0, wholeNumber(value) ?? 0);
    } else if (word === "and" || word === "or") {
      conditions.push(parseLogic(key, value));
    } else {
      parseFilter(key, value);
    }
  }
  function parseFilter(key: string, value: string): void {
    const scanner = new Scanner(key, "tree path");
    const { path, field } = readTreePath(scanner);
    scanner.expectEnd();
    if (takesArgs && !filterPattern.test(value)) {
      args.push([field.name, value]);
      return;
    }
    try {
      conditions.push({ path, condition: { kind: "filter", field, ...parseOperation(value) } });
    } catch (error) {
      if (!takesArgs) throw error;
      args.push([field.name, value]);
    }
  }
  assertFilterLimits(conditions, orders);
  const columns = parseNames(parameters.get("columns"), "columns parameter");
  const onConflict = parseNames(parameters.get("on_conflict"), "on_conflict parameter");
  return {
    select: parseSelect(parameters.get("select") ?? "*"),
    conditions,
    patterns: collectPatternUse(conditions),
    orders,
    ranges: [...ranges.values()],
    args,
    ...(columns !== undefined && { columns }),
    ...(onConflict !== undefined && { onConflict }),
  };
}
