import { expect, test } from "vitest";
import { pastedPage, recordCalls } from "@/lib/testing/recorded-calls.ts";
import { fetchContentItems } from "./items.ts";

test("a page pasted into the search is asked for as the database can read it", async () => {
  const { client, calls } = recordCalls();
  await fetchContentItems(
    client,
    "articles",
    { search: pastedPage, category: "", subcategory: "", status: "" },
    0,
  );
  const asked = calls.map(({ search }) => String(search));
  expect(asked.length).toBeGreaterThan(0);
  for (const text of asked) {
    expect(text).toMatch(/^Özlem Şahin Özlem/);
    expect(text).not.toContain("\u0000");
    expect(text.length).toBeLessThanOrEqual(200);
  }
});
