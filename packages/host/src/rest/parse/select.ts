// Parser of the `select` parameter, with limits on how much one request may select and embed.

import { tooComplex } from "../errors.ts";
import type { Aggregate, EmbedItem, FieldItem, SelectItem } from "./ast.ts";
import { readField } from "./fields.ts";
import { queryLimits } from "./query-limits.ts";
import { Scanner } from "./scanner.ts";

const castPattern = /[\p{L}\p{N}_ $]+/uy;
const aggregatePattern = /\.(sum|avg|count|max|min)\(\)/y;

/** Remaining items and embeds of one `select`. */
interface Budget {
  items: number;
  embeds: number;
}

/** Limits how often one value is selected, because the response would become much larger than the data. */
function assertCopyLimits(items: readonly SelectItem[]): void {
  const copies = new Map<string, number>();
  const paths = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string, most: number, what: string) => {
    const known = (counts.get(key) ?? 0) + 1;
    if (known > most) throw tooComplex(`a column may be selected at most ${most} times ${what}`);
    counts.set(key, known);
  };
  for (const item of items) {
    if (item.kind !== "field" || item.aggregate !== undefined) continue;
    const { name, path } = item.field;
    const copy = JSON.stringify([name, ...path.map(({ key }) => key)]);
    count(copies, copy, queryLimits.sameField, "at the same path");
    if (path.length > 0) count(paths, name, queryLimits.pathsOfColumn, "at different paths");
  }
}

/**
 * Reads `select=`: columns, aliases, casts, JSON paths, embeds and spreads.
 * @throws {RestError} PGRST100
 */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, "select parameter");
  const budget = { items: queryLimits.selectItems, embeds: queryLimits.embeds };
  const items = readItems(scanner, 0, budget);
  scanner.expectEnd();
  return items;
}

function readItems(scanner: Scanner, depth: number, budget: Budget): SelectItem[] {
  const items: SelectItem[] = [];
  scanner.skipSpace();
  if (scanner.atEnd || scanner.next === ")") return items;
  do {
    budget.items -= 1;
    if (budget.items < 0) {
      throw tooComplex(`select may name at most ${queryLimits.selectItems} columns`);
    }
    scanner.skipSpace();
    items.push(readItem(scanner, depth, budget));
    scanner.skipSpace();
  } while (scanner.eat(","));
  assertCopyLimits(items);
  return items;
}

function readAlias(scanner: Scanner): string | undefined {
  return scanner.attempt(() => {
    const name = scanner.tryName();
    scanner.skipSpace();
    return !scanner.startsWith("::") && scanner.eat(":") ? name : undefined;
  });
}

function readItem(scanner: Scanner, depth: number, budget: Budget): SelectItem {
  const spread = scanner.eat("...");
  if (!spread && scanner.next === "*") {
    scanner.position += 1;
    if (!scanner.atEnd && !",)".includes(scanner.next)) throw scanner.error('")", "," or end');
    return { kind: "field", field: { name: "*", path: [] } };
  }
  const alias = spread ? undefined : readAlias(scanner);
  scanner.skipSpace();
  const head = scanner.attempt(() => readEmbedHead(scanner));
  if (head === undefined) {
    if (spread) throw scanner.error("an embedded table");
    return readFieldItem(scanner, alias);
  }
  if (depth >= queryLimits.embedDepth) {
    throw tooComplex(`embeds may nest at most ${queryLimits.embedDepth} deep`);
  }
  budget.embeds -= 1;
  if (budget.embeds < 0) throw tooComplex(`select may name at most ${queryLimits.embeds} embeds`);
  const items = readItems(scanner, depth + 1, budget);
  scanner.expect(")");
  return { kind: "embed", ...head, ...(alias !== undefined && { alias }), spread, items };
}

function readEmbedHead(scanner: Scanner): Pick<EmbedItem, "target" | "hint" | "join"> | undefined {
  const target = scanner.tryName();
  // `count()` is an aggregate; a table of that name needs a hint.
  if (target === undefined || (target === "count" && scanner.startsWith("()"))) return undefined;
  let hint: string | undefined;
  let join: EmbedItem["join"] = "left";
  for (let count = 0; count < 2 && scanner.eat("!"); count += 1) {
    const word = scanner.name();
    if (word === "inner" || word === "left") join = word;
    else hint ??= word;
  }
  if (!scanner.eat("(")) return undefined;
  return { target, join, ...(hint !== undefined && { hint }) };
}

function readCast(scanner: Scanner): string | undefined {
  if (!scanner.eat("::")) return undefined;
  const cast = scanner.match(castPattern)?.trim();
  if (cast === undefined || cast === "") throw scanner.error("letter or digit");
  return cast;
}

function readFieldItem(scanner: Scanner, alias: string | undefined): FieldItem {
  const counts = scanner.eat("count()");
  const field = counts ? { name: "*", path: [] } : readField(scanner);
  const cast = counts ? undefined : readCast(scanner);
  const aggregate = counts ? "count" : scanner.match(aggregatePattern)?.slice(1, -2);
  const aggregateCast = aggregate === undefined ? undefined : readCast(scanner);
  scanner.skipSpace();
  if (!scanner.atEnd && !",)".includes(scanner.next)) {
    throw scanner.error('letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input');
  }
  return {
    kind: "field",
    field,
    ...(alias !== undefined && { alias }),
    ...(cast !== undefined && { cast }),
    ...(aggregate !== undefined && { aggregate: aggregate as Aggregate }),
    ...(aggregateCast !== undefined && { aggregateCast }),
  };
}
