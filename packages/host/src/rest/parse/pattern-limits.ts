// Limits `like`, regular expressions and full-text search, which can cost Postgres far more than other filters.

import { tooComplex, RestError } from "../errors.ts";
import type { FilterTree, PatternUse, ParsedQuery, FilterOperation } from "./ast.ts";

/**
 * Limits of patterns, the only filters that can cost much more than reading the rows: the time of `like` grows with the
 * length of the pattern times that of the text, and a regular expression may take any time, and memory to compile.
 */
export const patternLimits = {
  /** Characters in a pattern of `like`, `ilike` and the full-text operators. */
  patternLength: 500,
  /** The same for anonymous callers. */
  anonymousPatternLength: 100,
  /** Characters in a regular expression; anonymous callers may not use any. */
  regexLength: 200,
  /** Product of all counted repetitions such as `{1,10}`, which multiply when they nest. */
  regexRepetitions: 1000,
} as const;

const countedRepetition = /\{(\d+)(?:,(\d*))?\}/g;

function assertSimpleRegex(text: string): void {
  if (text.length > patternLimits.regexLength) {
    throw tooComplex(
      `a regular expression may have at most ${patternLimits.regexLength} characters`,
    );
  }
  let repetitions = 1;
  for (const [, least, most] of text.matchAll(countedRepetition)) {
    repetitions *= Math.max(1, Number(least), Number(most ?? 0));
  }
  if (repetitions > patternLimits.regexRepetitions) {
    throw tooComplex("a regular expression repeats too much");
  }
}

function addOperation(use: PatternUse, operation: FilterOperation): void {
  if (operation.kind === "compare" && operation.operator.startsWith("~")) {
    assertSimpleRegex(operation.value);
    use.usesRegex = true;
  } else if (operation.kind === "search" || (operation.kind === "compare" && operation.pattern)) {
    use.longestPattern = Math.max(use.longestPattern, operation.value.length);
  }
}

function addFilter(use: PatternUse, condition: FilterTree): void {
  if (condition.kind === "filter") addOperation(use, condition.operation);
  else for (const part of condition.parts) addFilter(use, part);
}

/** @throws {RestError} PGRST100 for patterns above the limits of all callers */
export function collectPatternUse(conditions: ParsedQuery["conditions"]): PatternUse {
  const use: PatternUse = { usesRegex: false, longestPattern: 0 };
  for (const { condition } of conditions) addFilter(use, condition);
  if (use.longestPattern > patternLimits.patternLength) {
    throw tooComplex(`a pattern may have at most ${patternLimits.patternLength} characters`);
  }
  return use;
}

/**
 * Checks the stricter limits of anonymous callers.
 * @throws {RestError} HR002
 */
export function assertAnonymousPatterns({ usesRegex, longestPattern }: PatternUse): void {
  const { anonymousPatternLength } = patternLimits;
  if (!usesRegex && longestPattern <= anonymousPatternLength) return;
  throw new RestError(401, "HR002", "This filter is for signed-in callers", {
    details: usesRegex
      ? "match and imatch are not available without signing in."
      : `Without signing in, a pattern may have at most ${anonymousPatternLength} characters.`,
    headers: { "www-authenticate": "Bearer" },
  });
}
