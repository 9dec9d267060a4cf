import type { OrderTerm } from "./ast.ts";
import { readField } from "./fields.ts";
import { Scanner } from "./scanner.ts";

/**
 * Reads `order=`: `name.desc.nullslast,author(name)`.
 * @throws {RestError} PGRST100
 */
export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, "order");
  const terms: OrderTerm[] = [];
  do {
    scanner.skipSpace();
    terms.push(readTerm(scanner));
    scanner.skipSpace();
  } while (scanner.eat(","));
  scanner.expectEnd();
  return terms;
}

function readTerm(scanner: Scanner): OrderTerm {
  const embed = scanner.attempt(() => {
    const name = scanner.tryName();
    return scanner.eat("(") ? name : undefined;
  });
  const field = readField(scanner);
  if (embed !== undefined) scanner.expect(")");
  const direction = scanner.match(/\.(asc|desc)(?=[., ]|$)/y)?.slice(1);
  const nulls = scanner.match(/\.nulls(first|last)(?=[, ]|$)/y)?.slice(6);
  if (!scanner.atEnd && !", ".includes(scanner.next)) {
    scanner.position += scanner.next === "." ? 1 : 0;
    throw scanner.error('"asc", "desc", "nullsfirst" or "nullslast"');
  }
  return {
    field,
    ...(embed !== undefined && { embed }),
    ...(direction !== undefined && { direction: direction as "asc" }),
    ...(nulls !== undefined && { nulls: nulls as "first" }),
  };
}
