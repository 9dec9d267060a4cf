import { describe, expect, it } from "vitest";
import { markWords } from "./mark-words.ts";

/** The pieces as a text with the hits in brackets. */
const marked = (text: string, query: string) =>
  markWords(text, query)
    .map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join("");

describe("the words that were searched for", () => {
  it.each([
    ["Pricing your first offer", "pric OFFER", "[Pricing] your first [offer]"],
    ["A café in Łódź", "cafe lodz", "A [café] in [Łódź]"],
    ["Cafe\u0301 and caffeine", "café", "[Cafe\u0301] and caffeine"],
    ["Straße 12", "strasse", "[Straße] 12"],
    ["O’Brien's shop", "brien", "O’[Brien]'s shop"],
    ["Nothing here", "", "Nothing here"],
    ["Nothing here", "?!", "Nothing here"],
    ["", "word", ""],
    ["Цена и ценность", "цен", "[Цена] и [ценность]"],
  ])("of “%s” for “%s” are marked: %s", (text, query, wanted) => {
    expect(marked(text, query)).toBe(wanted);
  });

  it("leave the text as it is", () => {
    const text = "  Two  spaces, a tab\tand 3 signs!!! ";
    const pieces = markWords(text, "spaces 3");
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });
});
