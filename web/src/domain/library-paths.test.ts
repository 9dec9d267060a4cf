import { describe, expect, it } from "vitest";
import { categoryOf, libraryPath } from "./library-paths.ts";

describe("addresses of the library", () => {
  it.each([
    ["/knowledge/foundations", "general"],
    ["/business/courses/selling", "business"],
    ["/wealth/foundations", "wealth"],
    ["/elsewhere", "wealth"],
  ])("%s belongs to %s", (path, category) => {
    expect(categoryOf(path)).toBe(category);
  });

  it("are made of category, shelf, subcategory and item", () => {
    expect(libraryPath("general", "articles")).toBe("/knowledge/foundations");
    expect(libraryPath("business", "courses", "selling")).toBe("/business/courses/selling");
    expect(libraryPath("wealth", "articles", "funds", "7")).toBe("/wealth/foundations/funds/7");
  });
});
