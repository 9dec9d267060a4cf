// Bounds what a request body can cost Postgres beyond its size: rows, nesting and huge numbers.

import { invalidBody } from "../errors.ts";

/** Limits of a request body besides its size in bytes. A body above them is refused with PGRST102. */
export const bodyLimits = {
  /** Rows of a mutation. */
  rows: 10_000,
  /** Fields of a form, and columns of a CSV line. */
  fields: 2000,
  /** Nesting depth of arrays and objects. */
  depth: 100,
  /** Exponent of a number. JavaScript has no larger one; Postgres would write out all the digits. */
  exponent: 308,
} as const;

const exponentPattern = /[eE][+-]?(\d+)/y;
const isDigit = (character: string | undefined) =>
  character !== undefined && character >= "0" && character <= "9";

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

/**
 * Refuses short JSON that becomes expensive in Postgres: deep nesting, and numbers with thousands of digits.
 * @throws {RestError} PGRST102
 */
export function assertJsonLimits(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth > bodyLimits.depth) {
        throw invalidBody(`The body nests more than ${bodyLimits.depth} deep`);
      }
    } else if (character === "]" || character === "}") depth -= 1;
    else if ((character === "e" || character === "E") && isDigit(text[at - 1])) {
      exponentPattern.lastIndex = at;
      if (Number(exponentPattern.exec(text)?.[1] ?? 0) > bodyLimits.exponent) {
        throw invalidBody("The body holds a number that is too large or too small");
      }
    }
  }
}

/** @throws {RestError} PGRST102 */
export function assertBodyLimit(count: number, what: "rows" | "fields"): void {
  if (count > bodyLimits[what]) {
    throw invalidBody(`The body holds more than ${bodyLimits[what]} ${what}`);
  }
}
