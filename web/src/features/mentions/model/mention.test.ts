import { expect, test } from "vitest";
import { everyone, insertMention, mentionedIds, typedMention } from "./mention.ts";
import { splitMentions, type NamedMember } from "./split-mentions.ts";

const tom = { id: "t", name: "Tom Whitfield" };

test("a name is being typed after @ at the start of a word", () => {
  expect(typedMention("Hello @to", 9)).toEqual({ at: 6, typed: "to" });
  expect(typedMention("@Tom Wh", 7)).toEqual({ at: 0, typed: "Tom Wh" });
  for (const name of [
    "özlem",
    "łukasz",
    "ґанна",
    "O’Bri",
    "O'Bri",
    "OʼBri",
    "O´Bri",
    "O`Bri",
    "Jean‑L",
    "Zoe\u0308",
    "محمد",
  ]) {
    expect(typedMention(`(see) @${name}`, name.length + 7)?.typed).toBe(name);
  }
  for (const text of ["Hello", "@", "mail@to", "@Tom Whitfield and"]) {
    expect(typedMention(text, text.length)).toBeNull();
  }
});

test("a picked name replaces what was typed and counts while it stands", () => {
  expect(insertMention("Hello @to there", 9, 6, tom)).toEqual({
    text: "Hello @Tom Whitfield there",
    caret: 21,
  });
  expect(mentionedIds("Hello @Tom Whitfield, @everyone", [tom, tom, everyone])).toEqual(["t"]);
  expect(mentionedIds("Hello Tom", [tom])).toEqual([]);
});

const named = (name: string, memberId: string | null = null): NamedMember => ({
  name,
  memberId,
  isYou: false,
});

test("names after @ are found in a text, the longest first and as whole words", () => {
  const members = [named("Tom", "t"), named("Tom Baker", "b"), named("C++ (dev)", "c")];
  const shown = (text: string) =>
    splitMentions(text, members).map((part) =>
      typeof part === "string" ? part : `[${part.memberId}]`,
    );
  expect(shown("Ask @Tom Baker, @Tom and @C++ (dev)!")).toEqual([
    "Ask ",
    "[b]",
    ", ",
    "[t]",
    " and ",
    "[c]",
    "!",
  ]);
  for (const text of ["@Tomas", "a@Tom.example", "Tom Baker", "@tom", "@@Tom"]) {
    expect(shown(text)).toEqual([text]);
  }
  expect(splitMentions("@Tom", [])).toEqual(["@Tom"]);
  for (const name of ["Anne-Marie O'Neill", String.raw`a\b/[c]{d}^$|`, "<b>-</b>"]) {
    expect(splitMentions(`Hi @${name}`, [named(name, "x")])).toEqual(["Hi ", named(name, "x")]);
  }
});
