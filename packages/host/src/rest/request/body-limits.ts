import { invalidBody } from "../errors.ts";

/** How much one body may hold, beside its bytes. What is beyond is refused with PGRST102. */
export const bodyLimits = {
  /** AliasedSource of a change. */
  rows: 10_000,
  /** Fields of a form, and columns of a CSV line. */
  fields: 2000,
  /** Lists and objects inside one another. */
  depth: 100,
  /** Exponent of a number. JavaScript has no larger ones; Postgres would write out all its digits. */
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
 * Checks what a few characters of JSON may become in Postgres: deep nesting, and numbers of thousands of digits.
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
