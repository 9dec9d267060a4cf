import { messageExcerpt } from "@/lib/message-excerpt.ts";

/** A piece of an excerpt. */
export interface MarkedPart {
  readonly text: string;
  /** It is a word that was searched for. */
  readonly marked: boolean;
}

// The control characters around a found word, as the database writes them.
const start = "\u0002";
const end = "\u0003";
const maxExcerptLength = 400;

/** Splits an excerpt at the words that were found, without the markers of Markdown. */
export function splitMarked(excerpt: string): readonly MarkedPart[] {
  const [before = "", ...rest] = messageExcerpt(excerpt, maxExcerptLength).split(start);
  const parts: MarkedPart[] = [{ text: before, marked: false }];
  for (const piece of rest) {
    const [word = "", after = ""] = piece.split(end);
    parts.push({ text: word, marked: true }, { text: after, marked: false });
  }
  return parts.filter(({ text }) => text !== "");
}
