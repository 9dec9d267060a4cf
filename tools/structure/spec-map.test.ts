import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const root = new URL("../../", import.meta.url);
const documentPaths = ["docs/spec-map.md", "ARCHITECTURE.md", "README.md"];
const documentedFolders = ["docs", "packages", "supabase", "tests", "tools", "web"];
const isDocument = (path: string) => documentPaths.includes(path);

/** Every path of the tree a text names in code quotes or as the target of a link. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path);
  const linked = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, path = ""]) => path);
  const inTree = quoted.filter((path) => documentedFolders.includes(path.split("/")[0] ?? ""));
  const local = linked.filter((path) => !/^[a-z]+:/.test(path));
  // Names with a placeholder or several endings at once are patterns, not paths.
  return [...inTree, ...local].filter((path) => !/[<>*{}…]/.test(path));
}

interface NamedTest {
  readonly title: string;
  /** Files the title must stand in, one of them. */
  readonly files: readonly string[];
}

/**
 * Titles of tests the map names: what stands in typographic quotes after a test file, after a short name of
 * the map's first table, or after `browser:`. Other quotes are prose.
 */
function namedTests(map: string): NamedTest[] {
  const short = new Map<string, readonly string[]>();
  const found: NamedTest[] = [];
  for (const line of map.split("\n").filter((each) => each.startsWith("|"))) {
    const [, name = "", cell = ""] = /^\|\s*([a-z-]+|browser:) ?…?\s*\|([^|]*)\|$/.exec(line) ?? [];
    const filesOfName = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);
    if (name !== "" && filesOfName.length > 0) short.set(name, filesOfName);
    let files: readonly string[] = [];
    for (const [word, file, title] of line.matchAll(
      /`([^`]+\.(?:test|spec)\.tsx?)`|“([^”]+)”|[a-z-]+:?(?= “)/g,
    )) {
      if (file !== undefined) files = [file];
      else if (title === undefined) files = short.get(word) ?? files;
      else if (files.length > 0) found.push({ title, files });
    }
  }
  return found;
}

describe("what the documents name exists", () => {
  const documents = sourceFiles([".md"]).filter(({ path }) => isDocument(path));

  it("covers the three documents", () => {
    expect(documents.map(({ path }) => path).sort()).toEqual([...documentPaths].sort());
  });

  it.each(documents)("in $path: every path", ({ path, text }) => {
    const base = new URL(path, root);
    const missing = namedPaths(text).filter(
      (named) =>
        !existsSync(fileURLToPath(new URL(named, root))) &&
        !existsSync(fileURLToPath(new URL(named, base))),
    );
    expect(namedPaths(text).length).toBeGreaterThan(3);
    expect(missing).toEqual([]);
  });

  it("in docs/spec-map.md: every test", () => {
    const map = documents.find(({ path }) => path === "docs/spec-map.md");
    const tests = new Map(
      sourceFiles([".test.ts", ".test.tsx", ".spec.ts"]).map(({ path, text }) => [path, text]),
    );
    const named = namedTests(map?.text ?? "");
    expect(named.length).toBeGreaterThan(150);
    const gone = named.filter(
      ({ title, files }) => !files.some((file) => tests.get(file)?.includes(title)),
    );
    expect(gone).toEqual([]);
  });

  it("in docs/spec-map.md: as many cells in every row as its table has columns", () => {
    const map = documents.find(({ path }) => path === "docs/spec-map.md")?.text ?? "";
    const cells = (row: string) => row.replaceAll(/`[^`]*`/g, "").split(/(?<!\\)\|/).length;
    let columns = 0;
    const ragged = map.split("\n").filter((line) => {
      if (!line.startsWith("|")) columns = 0;
      else if (columns === 0) columns = cells(line);
      return columns > 0 && cells(line) !== columns;
    });
    expect(ragged).toEqual([]);
  });

  it("notices a path and a test that are gone", () => {
    expect(namedPaths("`web/src/gone.ts` and [x](docs/gone.md), `npm test`")).toEqual([
      "web/src/gone.ts",
      "docs/gone.md",
    ]);
    const map = "| one | `a.test.ts` |\n| “prose” | one “gone”; `b.test.ts` “x”, “y” |";
    expect(namedTests(map)).toEqual([
      { title: "gone", files: ["a.test.ts"] },
      { title: "x", files: ["b.test.ts"] },
      { title: "y", files: ["b.test.ts"] },
    ]);
  });
});
