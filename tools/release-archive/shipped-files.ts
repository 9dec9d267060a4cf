// Which files of the tree a release archive holds: what the commands of an operator need, and nothing of development.

import { dirname, join, normalize } from "node:path/posix";

/** Scripts of `package.json` that a release has. The others build, test or draw. */
export const shippedScripts = [
  "start",
  "doctor",
  "keys",
  "admin",
  "demo-code",
  "content",
  "emails",
  "backup",
  "restore",
  "storage",
  "move",
  "host",
  "db:reset",
] as const;

/** Files that processes start by their path. */
const startedFiles = [
  "tools/serve.ts",
  "tools/stop-database.ts",
  "tools/end-run.mjs",
  "tools/is-ready.mjs",
  "tools/page-render-worker.ts",
];
const textFiles = ["LICENSE", "README.md", "CHANGELOG.md", ".env.example", ".npmrc"];
/** Folders that are shipped whole, but for what {@link isLeftOut} names. */
const wholeFolders = ["docs/", "packages/", "supabase/"];

/** True for tests, for what only tests use, and for what only the tree of the sources needs. */
function isLeftOut(path: string): boolean {
  return (
    /\.test\.[a-z]+$/.test(path) ||
    /(^|\/)(testing|test|tests|fixtures|__snapshots__)\//.test(path) ||
    /(^|\/)tsconfig[^/]*\.json$/.test(path) ||
    path.startsWith("docs/images/")
  );
}

const importPattern =
  /(?:\bfrom\s*|\bimport\s*\(?\s*)["']((?:@?[a-z0-9._-]|\.{1,2}\/)[^"'\s]*)["']/g;
const workerPattern = /\bnew URL\(\s*["'](?:\.\/)?([^"'\s]+)["'],\s*import\.meta\.url/g;

/** What a file imports, statically, dynamically or as the URL of a worker. */
export function specifiersOf(text: string): string[] {
  return [
    ...[...text.matchAll(importPattern)].map(([, specifier = ""]) => specifier),
    ...[...text.matchAll(workerPattern)].map(([, path = ""]) => `./${path}`),
  ];
}

/** A relative import of `path`, as a path from the root; undefined for a package. */
export function relativeTarget(path: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return normalize(join(dirname(path), specifier));
}

const isCode = (path: string) => /\.(ts|tsx|mjs|mts)$/.test(path);

/** Files that these import by relative paths, directly or through others, with themselves. */
function reachedFrom(
  starts: readonly string[],
  tracked: ReadonlySet<string>,
  read: (path: string) => string,
): Set<string> {
  const reached = new Set(starts);
  // A set visits what is added to it on the way.
  for (const path of reached) {
    if (!isCode(path)) continue;
    for (const specifier of specifiersOf(read(path))) {
      const target = relativeTarget(path, specifier);
      if (target !== undefined && tracked.has(target)) reached.add(target);
    }
  }
  return reached;
}

/** The files that a command of `package.json` starts with. */
function entryOf(command: string): string[] {
  const [, file = "", argument] = /node (tools\/[a-z-]+\.mjs)(?: ([a-z-]+))?/.exec(command) ?? [];
  return argument === undefined ? [file] : [file, `tools/${argument}.ts`];
}

/**
 * The tracked files that a release has, sorted; the built web app comes besides.
 * @param scripts those of `package.json`
 * @param read the text of a tracked file
 */
export function shippedFiles(
  trackedFiles: readonly string[],
  scripts: Readonly<Record<string, string>>,
  read: (path: string) => string,
): string[] {
  const tracked = new Set(trackedFiles);
  const whole = trackedFiles.filter(
    (path) => wholeFolders.some((folder) => path.startsWith(folder)) && !isLeftOut(path),
  );
  const entries = shippedScripts.flatMap((name) => entryOf(scripts[name] ?? ""));
  const reached = reachedFrom([...entries, ...startedFiles, ...whole], tracked, read);
  // Pictures and texts lie beside the code that reads them.
  const folders = new Set(
    [...reached].map(dirname).filter((folder) => folder.startsWith("tools/")),
  );
  const beside = trackedFiles.filter(
    (path) => folders.has(dirname(path)) && !isCode(path) && !isLeftOut(path),
  );
  const missing = [...reached, ...textFiles].filter((path) => !tracked.has(path));
  if (missing.length > 0) throw new Error(`A release needs ${missing.join(", ")}`);
  return [...new Set([...reached, ...beside, ...textFiles])].toSorted();
}
