import { expect, it } from "vitest";
import { hereNow } from "./strings.ts";

it.each([
  [0, null],
  [1, "1 here now"],
  [1204, "1,204 here now"],
])("says how many are in a room: %i", (count, text) => {
  expect(hereNow(count)).toBe(text);
});
