import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const documented = sourceFiles([".md"])
  .filter(({ path }) => path === "docs/error-codes.md")
  .flatMap(({ text }) => [...text.matchAll(/^\| (FF\d{3}) /gm)].map(([, code = ""]) => code));
const raised = sourceFiles([".sql"])
  .filter(({ path }) => path.startsWith("supabase/schemas/"))
  .flatMap(({ text }) => [...text.matchAll(/'(FF\d{3})'/g)].map(([, code = ""]) => code));

describe("docs/error-codes.md", () => {
  it("has each code that the database raises, and no other, once", () => {
    expect(documented.length).toBeGreaterThan(100);
    expect(documented.toSorted()).toEqual([...new Set(raised)].toSorted());
  });
});
