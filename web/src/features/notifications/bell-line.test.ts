import { expect, it } from "vitest";
import { bellItemSchema } from "./model/bell-page.ts";

it("keeps a line of the bell about a place or a draft of a kind it does not know", () => {
  const line = { id: 1, kind: "question", created_at: "2026-11-27", unread: true };
  const place = { category: "health", shelf: "articles", subcategory: "a", item_id: "b" };
  const read = bellItemSchema.parse({
    ...line,
    detail: null,
    actor: null,
    others: 0,
    draft_kind: "podcast",
    place: { ...place, module: null, title: "Sleep" },
  });
  expect(read).toMatchObject({ kind: "question", draft_kind: null, place: null });
});
