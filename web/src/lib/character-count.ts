import { pluralise } from "./format-count.ts";

/** Counts Unicode characters as PostgreSQL's `char_length` does: an emoji's surrogate pair is one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** What to say of a text over its limit, such as `That is 3 characters too long.`; null within it. */
export function tooLongMessage(text: string, limit: number): string | null {
  const over = countCharacters(text) - limit;
  return over > 0 ? `That is ${pluralise(over, "character")} too long.` : null;
}
