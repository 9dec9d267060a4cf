import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const isFunction = (type: unknown) =>
  type === "ArrowFunctionExpression" ||
  type === "FunctionExpression" ||
  type === "FunctionDeclaration";

/** Whether the code makes something of `Intl` as soon as it is loaded. */
function makesFormat(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(makesFormat);
  if (typeof node !== "object" || node === null) return false;
  const { type, callee } = node as { type?: unknown; callee?: { object?: { name?: string } } };
  if (isFunction(type)) return false;
  if (type === "NewExpression" && callee?.object?.name === "Intl") return true;
  return Object.values(node).some(makesFormat);
}

it("nothing of Intl is made while the app's code loads: a slow phone takes some 60 ms for the first", () => {
  const early = sourceFiles([".ts", ".tsx"]).filter(
    ({ path, text }) =>
      (path.startsWith("web/src/") || path.startsWith("supabase/functions/_shared/product/")) &&
      !/\.test\.tsx?$|\/testing\//.test(path) &&
      text.includes("new Intl.") &&
      makesFormat(parseSync(path, text).program),
  );
  expect(early.map(({ path }) => path)).toEqual([]);
});
