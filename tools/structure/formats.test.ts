import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

interface Node {
  type?: unknown;
  name?: string;
  id?: Node | null;
  init?: unknown;
  body?: unknown;
  callee?: Node;
  object?: Node;
  property?: Node;
}

const functionTypes: readonly unknown[] = [
  "ArrowFunctionExpression",
  "FunctionExpression",
  "FunctionDeclaration",
];
const isFunction = (node: unknown): node is Node => functionTypes.includes((node as Node).type);
const isObject = (node: unknown): node is object => typeof node === "object" && node !== null;

/** Methods that make one of `Intl` for themselves. */
const formattingMethods = /^toLocale(Date|Time)?String$/;

/** The functions of a file by name, wherever they are declared. */
function functionsOf(node: unknown, found = new Map<string, Node>()): Map<string, Node> {
  if (!isObject(node)) return found;
  const { type, id, init } = node as Node;
  if (type === "FunctionDeclaration" && id?.name !== undefined) found.set(id.name, node);
  if (type === "VariableDeclarator" && id?.name !== undefined && isObject(init) && isFunction(init))
    found.set(id.name, init);
  for (const child of Object.values(node)) functionsOf(child, found);
  return found;
}

/**
 * Whether the code makes something of `Intl` as soon as it is loaded: itself, or in a function of the same file that it calls
 * at once. What it hands to others, such as `lazily`, counts as called later.
 */
function makesFormat(program: unknown): boolean {
  const functions = functionsOf(program);
  const entered = new Set<Node>();
  const enter = (called: Node): boolean => {
    if (entered.has(called)) return false;
    entered.add(called);
    return looksAt(called.body);
  };
  const looksAt = (node: unknown): boolean => {
    if (!isObject(node) || isFunction(node)) return false;
    const { type, callee } = node as Node;
    if (callee !== undefined && (type === "NewExpression" || type === "CallExpression")) {
      if (callee.object?.name === "Intl") return true;
      if (formattingMethods.test(callee.property?.name ?? "")) return true;
      const called = functions.get(callee.name ?? "") ?? callee;
      if (isFunction(called) && enter(called)) return true;
    }
    return Object.values(node).some(looksAt);
  };
  return looksAt(program);
}

const isEarly = (path: string, text: string) =>
  makesFormat(parseSync(path, text, { preserveParens: false }).program);

it("nothing of Intl is made while the app's code loads: a slow phone takes some 60 ms for the first", () => {
  const early = sourceFiles([".ts", ".tsx"]).filter(
    ({ path, text }) =>
      (path.startsWith("web/src/") || path.startsWith("supabase/functions/_shared/product/")) &&
      !/\.test\.tsx?$|\/testing\//.test(path) &&
      /\bIntl\.|\.toLocale/.test(text) &&
      isEarly(path, text),
  );
  expect(early.map(({ path }) => path)).toEqual([]);
});

it.each([
  "const format = new Intl.NumberFormat();",
  "const format = Intl.NumberFormat();",
  "const price = (5).toLocaleString();",
  "const day = new Date(0).toLocaleDateString('en-GB');",
  "const format = (() => new Intl.NumberFormat())();",
  "const format = make(); function make() { return new Intl.NumberFormat(); }",
  "const make = () => other(); const other = () => Intl.NumberFormat(); export const format = make();",
])("finds what is made at once: %s", (text) => {
  expect(isEarly("file.ts", text)).toBe(true);
});

it.each([
  "export const format = () => new Intl.NumberFormat();",
  "const format = lazily(() => new Intl.NumberFormat());",
  "function price(pence: number) { return pence.toLocaleString(); } export const show = price;",
  "const again = () => again(); again();",
])("leaves alone what is made when it is needed: %s", (text) => {
  expect(isEarly("file.ts", text)).toBe(false);
});
