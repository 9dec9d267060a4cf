import { excessive, RestError } from "../errors.ts";
import type { Condition, PatternUse, Query, Test } from "./ast.ts";

/**
 * Patterns are the one kind of filter whose cost is not that of reading the rows: `like` takes the length of the
 * pattern times that of the text, a regular expression may take any time, and memory to compile.
 */
export const patternLimits = {
  /** Characters of what `like`, `ilike` and the full-text operators look for. */
  patternLength: 500,
  /** The same for callers who have not signed in. */
  strangerPatternLength: 100,
  /** Characters of a regular expression; callers who have not signed in have none. */
  regexLength: 200,
  /** Product of all counted repetitions, such as `{1,10}`: they multiply where they nest. */
  regexRepetitions: 1000,
} as const;

const countedRepetition = /\{(\d+)(?:,(\d*))?\}/g;

function assertSimpleRegex(text: string): void {
  if (text.length > patternLimits.regexLength) {
    throw excessive(
      `a regular expression may have at most ${patternLimits.regexLength} characters`,
    );
  }
  let repetitions = 1;
  for (const [, least, most] of text.matchAll(countedRepetition)) {
    repetitions *= Math.max(1, Number(least), Number(most ?? 0));
  }
  if (repetitions > patternLimits.regexRepetitions) {
    throw excessive("a regular expression repeats too much");
  }
}

function addTest(use: PatternUse, test: Test): void {
  if (test.kind === "compare" && test.operator.startsWith("~")) {
    assertSimpleRegex(test.value);
    use.usesRegex = true;
  } else if (test.kind === "search" || (test.kind === "compare" && test.pattern)) {
    use.longestPattern = Math.max(use.longestPattern, test.value.length);
  }
}

function addCondition(use: PatternUse, condition: Condition): void {
  if (condition.kind === "test") addTest(use, condition.test);
  else for (const part of condition.parts) addCondition(use, part);
}

/** @throws {RestError} PGRST100 for patterns that nobody may use */
export function patternsOf(conditions: Query["conditions"]): PatternUse {
  const use: PatternUse = { usesRegex: false, longestPattern: 0 };
  for (const { condition } of conditions) addCondition(use, condition);
  if (use.longestPattern > patternLimits.patternLength) {
    throw excessive(`a pattern may have at most ${patternLimits.patternLength} characters`);
  }
  return use;
}

/**
 * What may be asked without signing in.
 * @throws {RestError} HR002
 */
export function assertForStrangers({ usesRegex, longestPattern }: PatternUse): void {
  const { strangerPatternLength } = patternLimits;
  if (!usesRegex && longestPattern <= strangerPatternLength) return;
  throw new RestError(401, "HR002", "This filter is for signed-in callers", {
    details: usesRegex
      ? "match and imatch are not available without signing in."
      : `Without signing in, a pattern may have at most ${strangerPatternLength} characters.`,
    headers: { "www-authenticate": "Bearer" },
  });
}
