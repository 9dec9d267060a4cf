import { expect, it } from "vitest";
import { isComposing } from "./composition.ts";

it.each([
  ["Chrome and Firefox within a word", { isComposing: true, keyCode: 229 }, true],
  ["Safari at the end of a word", { isComposing: false, keyCode: 229 }, true],
  ["a key of one's own", { isComposing: false, keyCode: 13 }, false],
])("tells %s", (_who, event, expected) => {
  expect(isComposing(event)).toBe(expected);
});
