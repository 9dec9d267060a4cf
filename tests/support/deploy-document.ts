import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "./spawn-product.ts";

/** What docs/deploy.md says, for tests that do it. */
export async function readDeployDocument(): Promise<string> {
  return await readFile(join(projectRoot, "docs", "deploy.md"), "utf8");
}

/** What stands between two texts, of which the first begins it. */
export function sectionOf(text: string, start: string, end: string): string {
  const from = text.indexOf(`\n${start}`);
  const to = text.indexOf(`\n${end}`, from + 1);
  if (from === -1 || to === -1) throw new Error(`docs/deploy.md has no “${start}” before “${end}”`);
  return text.slice(from, to);
}

/** The fenced blocks of a language, without their indentation. */
export function blocksOf(text: string, language: string): string[] {
  const fences = text.matchAll(new RegExp(`^( *)\`\`\`${language}\n([\\s\\S]*?)^\\1\`\`\``, "gm"));
  return [...fences].map(([, indent = "", body = ""]) =>
    body.replaceAll(new RegExp(`^${indent}`, "gm"), "").trim(),
  );
}
