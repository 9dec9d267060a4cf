/** Counts Unicode characters as PostgreSQL's `char_length` does: an emoji's surrogate pair is one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** What people see as one character: a family, a flag or a letter with its accents is one, of several that are counted. */
function seenCharacters(text: string): string[] {
  // Firefox has it since 125.
  if (!("Segmenter" in Intl)) return Array.from(text);
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return Array.from(segments, ({ segment }) => segment);
}

/** What stands for several counted characters: combining marks, joiners, flags, colours of skin, Korean letters. */
const combining =
  /[\p{M}\p{Regional_Indicator}\p{Emoji_Modifier}\u200d\u1100-\u11ff\u{e0020}-\u{e007f}]/u;

/** As much of a text as a limit allows, in counted characters; nothing that people see as one is cut in two. */
export function cutToCharacters(text: string, limit: number): string {
  let kept = "";
  let count = 0;
  for (const segment of seenCharacters(text)) {
    count += countCharacters(segment);
    if (count > limit) return kept;
    kept += segment;
  }
  return kept;
}

/** How a text is counted, to be said beside its length; empty where people count the same. */
export function countingNote(text: string): string {
  // Segmenting takes long; most texts need none.
  if (!combining.test(text)) return "";
  return seenCharacters(text).some((seen) => countCharacters(seen) > 1)
    ? "Some emoji and accented letters count as several characters."
    : "";
}
