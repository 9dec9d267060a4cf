import { excessive } from "../errors.ts";
import type { Aggregate, EmbedItem, FieldItem, SelectItem } from "./ast.ts";
import { readField } from "./fields.ts";
import { Scanner } from "./scanner.ts";

/** How many embeds may stand inside one another. */
const DEEPEST_EMBED = 5;
/** Postgres itself stops at 1664 columns a row. */
const MOST_ITEMS = 400;
const CAST = /[\p{L}\p{N}_ $]+/uy;
const AGGREGATE = /\.(sum|avg|count|max|min)\(\)/y;

/**
 * Reads `select=`: columns, aliases, casts, JSON paths, embeds and spreads.
 * @throws {RestError} PGRST100
 */
export function parseSelect(text: string): SelectItem[] {
  const scanner = new Scanner(text, "select parameter");
  const budget = { items: MOST_ITEMS };
  const items = readItems(scanner, 0, budget);
  scanner.expectEnd();
  return items;
}

function readItems(scanner: Scanner, depth: number, budget: { items: number }): SelectItem[] {
  const items: SelectItem[] = [];
  scanner.skipSpace();
  if (scanner.atEnd || scanner.next === ")") return items;
  do {
    budget.items -= 1;
    if (budget.items < 0) throw excessive(`select names more than ${MOST_ITEMS} columns`);
    scanner.skipSpace();
    items.push(readItem(scanner, depth, budget));
    scanner.skipSpace();
  } while (scanner.eat(","));
  return items;
}

function readAlias(scanner: Scanner): string | undefined {
  return scanner.attempt(() => {
    const name = scanner.tryName();
    scanner.skipSpace();
    return !scanner.startsWith("::") && scanner.eat(":") ? name : undefined;
  });
}

function readItem(scanner: Scanner, depth: number, budget: { items: number }): SelectItem {
  const spread = scanner.eat("...");
  if (!spread && scanner.next === "*") {
    scanner.position += 1;
    if (!scanner.atEnd && !",)".includes(scanner.next)) throw scanner.fault('")", "," or end');
    return { kind: "field", field: { name: "*", path: [] } };
  }
  const alias = spread ? undefined : readAlias(scanner);
  scanner.skipSpace();
  const head = scanner.attempt(() => readEmbedHead(scanner));
  if (head === undefined) {
    if (spread) throw scanner.fault("an embedded table");
    return readFieldItem(scanner, alias);
  }
  if (depth >= DEEPEST_EMBED) {
    throw excessive(`embeds may stand at most ${DEEPEST_EMBED} deep`);
  }
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
  const cast = scanner.match(CAST)?.trim();
  if (cast === undefined || cast === "") throw scanner.fault("letter or digit");
  return cast;
}

function readFieldItem(scanner: Scanner, alias: string | undefined): FieldItem {
  const counts = scanner.eat("count()");
  const field = counts ? { name: "*", path: [] } : readField(scanner);
  const cast = counts ? undefined : readCast(scanner);
  const aggregate = counts ? "count" : scanner.match(AGGREGATE)?.slice(1, -2);
  const aggregateCast = aggregate === undefined ? undefined : readCast(scanner);
  scanner.skipSpace();
  if (!scanner.atEnd && !",)".includes(scanner.next)) {
    throw scanner.fault('letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input');
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
