import { parseSync } from "oxc-parser";
import type { SourceFile } from "./source-files.ts";

/** A regular expression as it is written, and the files it is written in. */
export interface WrittenPattern {
  readonly source: string;
  readonly flags: string;
  readonly paths: string[];
}

/** Literals by their text, and the files that build a regular expression from parts. */
export interface RegularExpressions {
  readonly literals: ReadonlyMap<string, WrittenPattern>;
  readonly built: readonly string[];
}

/** Tests, and what stands in for something in them, read no text of members. */
const testFile = /\.test\.tsx?$|\/testing\/|\.d\.ts$/;

function visit(node: unknown, found: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, found);
  else if (typeof node === "object" && node !== null) {
    found(node as Record<string, unknown>);
    for (const each of Object.values(node)) visit(each, found);
  }
}

/** All regular expressions of the product's code. */
export function regularExpressionsIn(files: readonly SourceFile[]): RegularExpressions {
  const literals = new Map<string, WrittenPattern>();
  const built = new Set<string>();
  for (const { path, text } of files) {
    if (testFile.test(path)) continue;
    visit(parseSync(path, text).program, (node) => {
      const regex = node["regex"] as { pattern: string; flags: string } | undefined;
      if (node["type"] === "Literal" && regex !== undefined) {
        const key = `/${regex.pattern}/${regex.flags}`;
        const known = literals.get(key) ?? { source: regex.pattern, flags: regex.flags, paths: [] };
        known.paths.push(path);
        literals.set(key, known);
      }
      const isCall = node["type"] === "NewExpression" || node["type"] === "CallExpression";
      const callee = node["callee"] as { name?: string } | undefined;
      if (isCall && callee?.name === "RegExp") built.add(path);
    });
  }
  return { literals, built: [...built].toSorted() };
}

/** A look ahead or behind without groups of its own. */
const lookAround = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^()\\[])*\)/g;

/**
 * The patterns to prove in place of one with look-arounds, which automata do not know: one where they all hold, and one where
 * none does. What such a look costs itself is a sign or two.
 */
export function withoutLookArounds(source: string): string[] {
  const held = source.replaceAll(lookAround, "");
  return held === source ? [source] : [held, source.replaceAll(lookAround, "\\uffff")];
}
