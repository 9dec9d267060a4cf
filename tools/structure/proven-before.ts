import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ownCache = join(root, ".cache", "proven-patterns.json");

/** A proof holds for as long as the program that proves and the library it uses stay the same. */
const prover = ["tools/structure/prove-patterns.ts", "node_modules/recheck/package.json"]
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\0");

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

const keyOf = ({ source, flags }: Pattern) =>
  createHash("sha256").update([prover, source, flags].join("\0")).digest("hex");

function readKeys(path: string): string[] {
  try {
    const keys = JSON.parse(readFileSync(path, "utf8")) as unknown;
    return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Gives each pattern its status: `prove` is asked about those that were not found to be safe before. Only what is safe is
 * remembered, by its text.
 */
export function withProvenBefore<P extends Pattern>(
  patterns: readonly P[],
  prove: (patterns: readonly P[]) => readonly string[],
  cachePath = ownCache,
): string[] {
  const known = new Set(readKeys(cachePath));
  const open = patterns.filter((pattern) => !known.has(keyOf(pattern)));
  const proven = open.length === 0 ? [] : prove(open);
  const statuses = new Map(open.map((pattern, at) => [pattern, proven[at] ?? "unknown"]));
  const found = patterns.map((pattern) => statuses.get(pattern) ?? "safe");
  const safe = open.filter((pattern) => statuses.get(pattern) === "safe").map(keyOf);
  if (safe.length > 0) {
    mkdirSync(dirname(cachePath), { recursive: true });
    const own = `${cachePath}.${process.pid}`;
    writeFileSync(own, JSON.stringify([...new Set([...readKeys(cachePath), ...safe])]));
    renameSync(own, cachePath);
  }
  return found;
}
