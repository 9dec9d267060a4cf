import { describe, expect, it } from "vitest";
import { countCharacters, countingNote, cutToCharacters } from "./character-count.ts";

/** Texts, how many characters PostgreSQL's `char_length` says they have, and how many people see. */
const texts = [
  ["Zoë", 3, 3],
  ["Zoe\u0308", 4, 3],
  ["😀", 1, 1],
  ["👍🏽", 2, 1],
  ["🇬🇧", 2, 1],
  ["👨‍👩‍👧‍👦", 7, 1],
  ["❤️", 2, 1],
  ["1️⃣", 3, 1],
  ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", 7, 1],
  ["नि", 2, 1],
  ["한", 1, 1],
  ["\u1112\u1161\u11ab", 3, 1],
  ["a\r\nb", 4, 3],
] as const;

describe("characters", () => {
  it.each(texts)("%j are counted as the database does: %i", (text, counted, seen) => {
    expect(countCharacters(text)).toBe(counted);
    expect(countingNote(text) === "").toBe(counted === seen || text.includes("\r"));
  });

  it.each(texts.filter(([, counted, seen]) => counted > 1 && seen === 1))(
    "%j is kept whole or not at all",
    (text, counted) => {
      expect(cutToCharacters(`${text}${text}`, counted * 2)).toBe(`${text}${text}`);
      expect(cutToCharacters(`${text}${text}`, counted * 2 - 1)).toBe(text);
      expect(cutToCharacters(text, counted - 1)).toBe("");
    },
  );
});
