import { expect, test } from "vitest";
import { searchText } from "./search-text.ts";

test("a search is what the database can read of the text", () => {
  expect(searchText("  Özlem \u0000Şahin\u0000 ")).toBe("Özlem Şahin");
  expect(searchText("\u0000")).toBe("");
  expect(searchText("half \uD83D of \uDE00 it")).toBe("half  of  it");
  expect(searchText("whole 😀")).toBe("whole 😀");
  expect(searchText("😀".repeat(300))).toBe("😀".repeat(200));
  expect(searchText("x😀".repeat(300), 41)).toBe(`${"x😀".repeat(20)}x`);
  expect(searchText("word ".repeat(100_000)).length).toBeLessThanOrEqual(200);
});
