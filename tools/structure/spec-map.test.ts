import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const ROOT = new URL("../../", import.meta.url);
const DOCUMENTS = ["docs/spec-map.md", "ARCHITECTURE.md", "README.md"];
const FOLDERS = ["docs", "host", "stripe-sandbox", "supabase", "tests", "tools", "web"];
const isDocument = (path: string) => DOCUMENTS.includes(path);

/** Every path of the tree a text names in code quotes or as the target of a link. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path);
  const linked = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = ""]) => path);
  const inTree = quoted.filter((path) => FOLDERS.includes(path.split("/")[0] ?? ""));
  const local = linked.filter((path) => !/^[a-z]+:/.test(path));
  // Names with a placeholder or several endings at once are patterns, not paths.
  return [...inTree, ...local].filter((path) => !/[<>*{}…]/.test(path));
}

/** Titles of tests a row of the map names: what stands in typographic quotes. */
function namedTests(text: string): string[] {
  return [...text.matchAll(/“([^”]+)”/g)].map(([, title = ""]) => title);
}

describe("what the documents name exists", () => {
  const documents = sourceFiles([".md"]).filter(({ path }) => isDocument(path));

  it("covers the three documents", () => {
    expect(documents.map(({ path }) => path).sort()).toEqual([...DOCUMENTS].sort());
  });

  it.each(documents)("in $path: every path", ({ path, text }) => {
    const base = new URL(path, ROOT);
    const missing = namedPaths(text).filter(
      (named) =>
        !existsSync(fileURLToPath(new URL(named, ROOT))) &&
        !existsSync(fileURLToPath(new URL(named, base))),
    );
    expect(namedPaths(text).length).toBeGreaterThan(3);
    expect(missing).toEqual([]);
  });

  it("in docs/spec-map.md: every test", () => {
    const map = documents.find(({ path }) => path === "docs/spec-map.md");
    const tests = sourceFiles([".test.ts", ".test.tsx", ".spec.ts"])
      .map(({ text }) => text)
      .join("\n");
    const named = namedTests(map?.text ?? "");
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((title) => !tests.includes(title))).toEqual([]);
  });

  it("notices a path and a test that are gone", () => {
    expect(namedPaths("`web/src/gone.ts` and [x](docs/gone.md), `npm test`")).toEqual([
      "web/src/gone.ts",
      "docs/gone.md",
    ]);
    expect(namedTests("a “gone” test")).toEqual(["gone"]);
  });
});
