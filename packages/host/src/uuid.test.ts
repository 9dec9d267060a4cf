import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isUuid } from "./uuid.ts";

test("the text form of a UUID is recognised, and nothing around or instead of it", () => {
  const id = randomUUID();
  expect([id, id.toUpperCase()].map(isUuid)).toEqual([true, true]);
  const others = [`${id}\n`, ` ${id}`, `../${id}`, id.replaceAll("-", ""), `{${id}}`, "", 7, null];
  expect(others.filter(isUuid)).toEqual([]);
});
