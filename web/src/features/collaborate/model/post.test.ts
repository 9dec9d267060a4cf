import { expect, test } from "vitest";
import { pastedPage } from "@/lib/testing/recorded-calls.ts";
import { noPostFilters, postQuery } from "./post.ts";

test("a page pasted into the search is asked for as the database can read it", () => {
  const { search = "", topic } = postQuery({
    ...noPostFilters,
    search: pastedPage,
    topic: "\u0000",
  });
  expect(search).toMatch(/^Özlem Şahin Özlem/);
  expect(search).not.toContain("\u0000");
  expect(search.length).toBeLessThanOrEqual(200);
  expect(topic).toBeUndefined();
});
