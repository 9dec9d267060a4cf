// The package.json and lock file of a release: the packages that its files import, without those of development and of the build.

import { builtinModules } from "node:module";
import { shippedScripts, specifiersOf } from "./shipped-files.ts";

type Dependencies = Readonly<Record<string, string>>;

/** What a release changes or reads of a `package.json`, and of an entry of the lock file. */
export interface PackageEntry {
  scripts?: Dependencies;
  dependencies?: Dependencies;
  devDependencies?: Dependencies;
  optionalDependencies?: Dependencies;
  peerDependencies?: Dependencies;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
  link?: boolean;
  resolved?: string;
  [field: string]: unknown;
}

type Locked = Readonly<Record<string, PackageEntry>>;

/** Found by their path, not imported: the pinned Node, and the icons that a library may name. */
const foundPackages = ["node", "lucide-react"];

/** Statements that are gone when a file runs. */
const typeImports = /\b(?:import|export)\s+type\b[^;]*?\bfrom\s*["'][^"']+["']/g;

/** The packages that files import when they run. */
export function importedPackages(texts: readonly string[]): Set<string> {
  const names = texts.flatMap((text) =>
    specifiersOf(text.replaceAll(typeImports, ""))
      .filter((each) => !each.startsWith(".") && !each.includes(":"))
      .map((each) =>
        each
          .split("/")
          .slice(0, each.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
  );
  return new Set(names.filter((name) => !builtinModules.includes(name)));
}

const keep = (from: Dependencies = {}, isKept: (name: string) => boolean): Dependencies =>
  Object.fromEntries(Object.entries(from).filter(([name]) => isKept(name)));

/** The root's `package.json`, with the scripts of an operator and the packages that are imported. */
export function shippedManifest(
  manifest: PackageEntry,
  imported: ReadonlySet<string>,
): PackageEntry {
  const { devDependencies: _dev, optionalDependencies: _optional, ...rest } = manifest;
  const isShipped = (name: string) => (shippedScripts as readonly string[]).includes(name);
  return {
    ...rest,
    scripts: keep(manifest.scripts, isShipped),
    dependencies: keep(
      manifest.dependencies,
      (name) => imported.has(name) || foundPackages.includes(name),
    ),
  };
}

/** A workspace's `package.json`, without what only its tests and types need. */
export function shippedWorkspace(manifest: PackageEntry): PackageEntry {
  const { devDependencies: _dev, ...rest } = manifest;
  return rest;
}

/** Where npm finds a package for the one at `from`: in its own `node_modules`, or in those of the folders above. */
function locate(packages: Locked, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (folder === "") return undefined;
  }
}

/** The entries of a lock file that these two kinds of `package.json` lead to. */
export function shippedLock(packages: Locked, root: PackageEntry): Record<string, PackageEntry> {
  const workspaces = Object.values(packages).flatMap(({ link, resolved }) =>
    link === true && resolved !== undefined ? [resolved] : [],
  );
  const changed: Locked = {
    ...packages,
    "": {
      ...packages[""],
      dependencies: root.dependencies ?? {},
      devDependencies: {},
      optionalDependencies: {},
    },
    ...Object.fromEntries(workspaces.map((path) => [path, shippedWorkspace(packages[path] ?? {})])),
  };
  const links = Object.keys(packages).filter((path) => packages[path]?.link === true);
  const reached = new Set(["", ...workspaces, ...links]);
  for (const path of reached) {
    const entry = changed[path] ?? {};
    const wanted = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      // npm takes an optional peer only where another package needs it.
      ...keep(
        entry.peerDependencies,
        (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
      ),
    };
    for (const name of Object.keys(wanted)) {
      const found = locate(changed, path, name);
      if (found !== undefined) reached.add(found);
    }
  }
  return Object.fromEntries(
    Object.entries(changed)
      .filter(([path]) => reached.has(path))
      .map(([path, { devOptional, ...entry }]) => [
        path,
        devOptional === true ? { ...entry, optional: true } : entry,
      ]),
  );
}
