import { expect, test } from "vitest";
import { foldText, searchKey } from "./fold-text.ts";
import { foldCases } from "./testing/fold-cases.ts";

test.each(foldCases)("%j is folded", (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test("what is folded stays as it is", () => {
  for (const [, folded] of foldCases) expect(foldText(folded)).toBe(folded);
});

test("a search key has no apostrophes", () => {
  expect(searchKey("Zoë O’Brien")).toBe("zoe obrien");
  expect(searchKey("O'Neil")).toBe(searchKey("Oʼneil"));
});
