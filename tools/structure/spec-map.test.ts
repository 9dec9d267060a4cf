import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";
import { planLines } from "../../web/src/domain/plan-lines.ts";

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

/** What the landing page promises: the lines of its plans, and the days of its week. */
function promisedLines(content: string): string[] {
  const features = [...content.matchAll(/\bfeatures: \[([^\]]*)\]/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, line = ""]) => line),
  );
  const days = [...content.matchAll(/\bday: "([^"]+)"/g)].map(([, day = ""]) => day);
  return [...features, ...days];
}

/** Whether the map has a row for a line, with a route whose first part the app knows and with the title of a test. */
function isLocated(line: string, map: string, addresses: string): boolean {
  const segments = new Set(
    [...addresses.matchAll(/(?:["`]\/|segment: ")([a-z-]+)/g)].map(([, first = ""]) => first),
  );
  return map.split("\n").some((row) => {
    const [, name = "", routes = ""] = row.split("|").map((cell) => cell.trim());
    if (name !== line && !name.startsWith(`${line}: `)) return false;
    const named = [...routes.matchAll(/`\/([a-z-]+)[^`]*`/g)].map(([, first = ""]) => first);
    return (
      named.length > 0 && named.every((first) => segments.has(first)) && namedTests(row).length > 0
    );
  });
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

  it("in docs/spec-map.md: every line of the plans and of the week, with a route and a test", () => {
    const map = documents.find(({ path }) => path === "docs/spec-map.md")?.text ?? "";
    const content = readFileSync(new URL("web/src/features/landing/strings.ts", root), "utf8");
    const lines = [...planLines.student, ...planLines.mentor, ...promisedLines(content)];
    expect(lines).toHaveLength(8 + 7 + 5);
    const addresses = [
      "supabase/functions/_shared/product/paths.ts",
      "web/src/domain/library-paths.ts",
    ]
      .map((path) => readFileSync(new URL(path, root), "utf8"))
      .join("\n");
    expect(lines.filter((line) => !isLocated(line, map, addresses))).toEqual([]);
  });

  it("notices a line of a plan without a row, a route or a test", () => {
    expect(
      promisedLines('features: ["One", "Two"],\n day: "Monday",\n features: [\n  "Three",\n ],'),
    ).toEqual(["One", "Two", "Three", "Monday"]);
    const map = [
      "| One | `/here` | `a.test.ts` “x” |",
      "| Two | here | `a.test.ts` “x” |",
      "| Three | `/here` | `a.test.ts` |",
      "| Monday: a pact | `/gone` | `a.test.ts` “x” |",
    ].join("\n");
    const located = (line: string) => isLocated(line, map, 'here: "/here"');
    expect(["One", "Two", "Three", "Monday", "Four"].filter(located)).toEqual(["One"]);
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
