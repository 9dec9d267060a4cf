/** Texts of nearly the most that the bounds of Markdown allow, each of another kind; `docs/subsystems/limits.md` has the bounds. */
export const textsInsideBounds: readonly string[] = [
  // Lists within lists, on every line.
  `${"- ".repeat(12)}a\n`.repeat(250),
  // Lists within lists whose paragraphs go on.
  `${"- ".repeat(12)}a\n${`${"  ".repeat(12)}a\n`.repeat(19)}`.repeat(244),
  // Emphasis that never ends, in six paragraphs.
  `${"*a_".repeat(990)}\n\n`.repeat(6),
  // A table of nearly ten thousand cells.
  `${"|a".repeat(100)}\n${"|-".repeat(100)}\n${`${"|a".repeat(100)}\n`.repeat(95)}`,
  // Addresses that become links, and escapes.
  `${"https://x.test/b a@b.co ".repeat(400)}\n\n`.repeat(8),
  `${"\\a".repeat(100)}\n`.repeat(900),
  // For what counts words and takes the signs away.
  `${" ".repeat(38)}\n`.repeat(4900),
  "a.".repeat(100_000),
];

/** Texts over the bounds, which would stop whatever parses them. */
export const textsOverBounds: readonly string[] = [
  "**a".repeat(60_000),
  "> ".repeat(100_000),
  "[".repeat(200_000),
  "- ".repeat(100_000),
  "|a".repeat(100_000),
  "\n".repeat(200_000),
];

/** What is read for markup, links, mentions and words, without an end to any of them. */
const runs: readonly string[] = [
  "https://a.test/(((",
  "http://",
  "@@a",
  "**a_",
  "`a``",
  "[a](",
  "a.b@",
  "\u0301a",
  "% _\\",
  "'\"&|!(",
  "- 1. ",
];

/** A run of `length` characters. */
export function hostileRun(turn: number, length: number): string {
  const shape = runs[turn % runs.length] ?? "a";
  return shape.repeat(Math.ceil(length / shape.length)).slice(0, length);
}
