/** Longer than any name, address or title; the database reads no more of a search. In characters as it counts them. */
const longest = 200;

/**
 * What is typed or pasted into a search, as the database can read it: without NUL, which texts copied from PDFs hold, without
 * halves of characters, and cut. Empty when nothing is left to search for.
 */
export function searchText(typed: string, most = longest): string {
  // Cut before it is taken apart, because a whole book may be pasted: a character takes two units at most.
  const readable = typed
    .trim()
    .slice(0, 2 * most)
    .replaceAll(/\0|\p{Surrogate}/gu, "");
  return Array.from(readable).slice(0, most).join("").trim();
}
