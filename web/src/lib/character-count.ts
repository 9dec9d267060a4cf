/** Counts Unicode characters as PostgreSQL's `char_length` does: an emoji's surrogate pair is one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
