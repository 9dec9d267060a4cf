// Parses column names with JSON paths, such as `address->>city`, wherever a query string has them.

import { tooComplex } from "../errors.ts";
import type { FieldRef, JsonStep } from "./ast.ts";
import { queryLimits } from "./query-limits.ts";
import type { Scanner } from "./scanner.ts";

const indexPattern = /-?\d+(?=->|::|[.,)]|$)/y;
const maxJsonIndex = 2_147_483_647;

/** `->key`, `->>key`, `->0` …, none or many. */
export function readJsonPath(scanner: Scanner): JsonStep[] {
  const path: JsonStep[] = [];
  for (;;) {
    const asText = scanner.startsWith("->>");
    if (!scanner.eat("->>") && !scanner.eat("->")) return path;
    if (path.length >= queryLimits.jsonPathSteps) {
      throw tooComplex(`a JSON path may have at most ${queryLimits.jsonPathSteps} steps`);
    }
    const index = scanner.match(indexPattern);
    if (index === undefined) {
      path.push({ key: scanner.jsonKey(), asText });
    } else if (Math.abs(Number(index)) > maxJsonIndex) {
      throw scanner.error("an index of at most 32 bits");
    } else {
      path.push({ key: Number(index), asText });
    }
  }
}

/** A column with an optional JSON path. */
export function readField(scanner: Scanner): FieldRef {
  scanner.skipSpace();
  const name = scanner.name();
  const path = readJsonPath(scanner);
  scanner.skipSpace();
  return { name, path };
}

/** The key of a filter: embeds, then a field, as in `orders.items.details->size`. */
export function readTreePath(scanner: Scanner): { path: string[]; field: FieldRef } {
  const names = [scanner.name()];
  while (scanner.eat(".")) names.push(scanner.name());
  const path = readJsonPath(scanner);
  const name = names.pop() ?? "";
  return { path: names, field: { name, path } };
}
