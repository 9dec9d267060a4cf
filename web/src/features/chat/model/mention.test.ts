import { expect, test } from "vitest";
import { insertMention, keptMentions, typedMention } from "./mention.ts";

const tom = { id: "t", name: "Tom Whitfield" };

test("a name is being typed after @ at the start of a word", () => {
  expect(typedMention("Hello @to", 9)).toEqual({ at: 6, typed: "to" });
  expect(typedMention("@Tom Wh", 7)).toEqual({ at: 0, typed: "Tom Wh" });
  for (const text of ["Hello", "@", "mail@to", "@Tom Whitfield and"]) {
    expect(typedMention(text, text.length)).toBeNull();
  }
});

test("a picked name replaces what was typed and counts while it stands", () => {
  expect(insertMention("Hello @to there", 9, 6, tom)).toEqual({
    text: "Hello @Tom Whitfield there",
    caret: 21,
  });
  expect(keptMentions("Hello @Tom Whitfield", [tom, tom])).toEqual([tom]);
  expect(keptMentions("Hello Tom", [tom])).toEqual([]);
});
