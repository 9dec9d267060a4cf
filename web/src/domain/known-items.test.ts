import { expect, it } from "vitest";
import * as z from "zod/mini";
import { knownItems } from "./known-items.ts";

const item = z.object({ id: z.number(), kind: z.enum(["article", "course"]) });
const list = knownItems(item);

it("leaves out what a later release added, and keeps the rest in order", () => {
  const kinds = ["course", "podcast", "article"];
  expect(list.parse(kinds.map((kind, id) => ({ id, kind })))).toEqual([
    { id: 0, kind: "course" },
    { id: 2, kind: "article" },
  ]);
});

it.each([
  [{ id: "1", kind: "article" }],
  [{ id: "1", kind: "podcast" }],
  [{ id: 1 }],
  [{ id: 1, kind: null }],
  [null],
])("fails on %o, which no release answers", (wrong) => {
  expect(list.safeParse([wrong]).success).toBe(false);
});
