import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { SourceFile } from "./source-files.ts";

const packagesFolder = fileURLToPath(new URL("../../packages", import.meta.url));

/** A package of this repository. */
interface WorkspacePackage {
  /** From the root, such as `packages/host`. */
  folder: string;
  name: string;
  /** Files below `folder` by the specifier that imports them. */
  doors: ReadonlyMap<string, string>;
}

const packages = readdirSync(packagesFolder).map((folder): WorkspacePackage => {
  const text = readFileSync(`${packagesFolder}/${folder}/package.json`, "utf8");
  const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, string> };
  const doors = Object.entries(exports).map(
    ([door, path]) => [name + door.slice(1), path.slice(2)] as const,
  );
  return { folder: `packages/${folder}`, name, doors: new Map(doors) };
});

/** Names of the packages. */
export const packageNames: readonly string[] = packages.map(({ name }) => name);

/** The package that a specifier names, and the file behind its door; no file when the package has no such door. */
export function packageNamed(
  specifier: string,
): { folder: string; entry: string | undefined } | undefined {
  const named = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
  if (named === undefined) return undefined;
  return { folder: named.folder, entry: named.doors.get(specifier) };
}

/** Paths into a package that code outside it names, as `path: the path it names`. */
export function namedInternals(files: readonly SourceFile[]): string[] {
  const pattern = /packages["',\s/]+(?:host|stripe-sandbox)["',\s/]+(?:src|sql|dist)\b/g;
  return files
    .filter(({ path }) => !path.startsWith("packages/"))
    .flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([named]) => `${path}: ${named}`));
}
