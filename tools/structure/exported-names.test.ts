import { describe, expect, it } from "vitest";
import { namesExportedTwice, sharedNames } from "./exported-names.ts";
import { sourceFiles } from "./source-files.ts";

// Tests export nothing, the fixture project is another product, and Supabase generates the types of the database.
const excluded = /\.(test|spec)\.tsx?$|\.d\.mts$|^tests\/fixtures\/|database\.types\.ts$/;
const twice = namesExportedTwice(
  sourceFiles([".ts", ".tsx", ".mjs", ".mts"]).filter(({ path }) => !excluded.test(path)),
);
const allowed = Object.keys(sharedNames);

describe("an exported name means one thing", () => {
  it("holds for every name that is not on the lists", () => {
    expect(Object.fromEntries([...twice].filter(([name]) => !allowed.includes(name)))).toEqual({});
  });

  it("keeps no name on the lists that one file exports", () => {
    expect(allowed.filter((name) => !twice.has(name))).toEqual([]);
  });

  it.each([
    ["export const a = 1;", "export function a() {}"],
    ["export async function a() {}", "export class a {}"],
    ["export interface a {}", "export type a = string;"],
  ])("notices %s beside %s", (first, second) => {
    const files = [
      { path: "one.ts", text: first },
      { path: "two.ts", text: `const b = 1;\n${second}` },
    ];
    expect(namesExportedTwice(files)).toEqual(new Map([["a", ["one.ts", "two.ts"]]]));
  });

  it("allows re-exports, overloads and names that stay in their file", () => {
    const overloads = "export function a(x: 1): 1;\nexport function a(x: 2): 2;";
    const files = [
      { path: "one.ts", text: overloads },
      { path: "two.ts", text: 'export { a } from "./one.ts";\nexport * from "./one.ts";' },
      { path: "three.ts", text: "const a = 1;\nfunction f() {\n  return a;\n}" },
    ];
    expect(namesExportedTwice(files)).toEqual(new Map());
  });
});
