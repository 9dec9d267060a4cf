import { searchKey } from "./fold-text.ts";

/** A piece of a text; `isHit` when it is a word that was searched for. */
export interface MarkedPiece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Splits a text where its words begin with a word of the query, as searches compare them: whatever case and accents. */
export function markWords(text: string, query: string): readonly MarkedPiece[] {
  const wanted = searchKey(query)
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== "");
  const pieces: { text: string; isHit: boolean }[] = [];
  // Words and what is between them, in turn. An accent of its own belongs to its letter.
  for (const part of text.split(/([\p{L}\p{N}\p{M}]+)/u)) {
    const word = searchKey(part);
    const isHit = word !== "" && wanted.some((each) => word.startsWith(each));
    const last = pieces.at(-1);
    if (last?.isHit === isHit) last.text += part;
    else if (part !== "") pieces.push({ text: part, isHit });
  }
  return pieces;
}
