import { describe, expect, it } from "vitest";
import { foundRow } from "../testing/found-row.ts";
import { groupResults, toSearchResults } from "./search-results.ts";

describe("what was found", () => {
  it("ignores unknown kinds and addresses", () => {
    const found = toSearchResults([
      foundRow("article", "Good"),
      foundRow("person", "Nobody"),
      foundRow("article", "Bad", { path: "https://evil.example" }),
      foundRow("article", "Worse", { path: "//evil.example" }),
    ]);
    expect(found.map(({ title }) => title)).toEqual(["Good"]);
  });

  it("keeps the order within a kind and lists the best kind first", () => {
    const found = toSearchResults([
      foundRow("course", "One"),
      foundRow("article", "Two"),
      foundRow("course", "Three"),
    ]);
    expect(groupResults(found).map(({ kind, found: all }) => [kind, all.length])).toEqual([
      ["course", 2],
      ["article", 1],
    ]);
  });
});
