import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { sourceFiles } from "../structure/source-files.ts";
import { relativeTarget, shippedFiles, shippedScripts, specifiersOf } from "./shipped-files.ts";
import {
  importedPackages,
  shippedLock,
  shippedManifest,
  type PackageEntry,
} from "./shipped-packages.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const manifest = JSON.parse(read("package.json")) as PackageEntry;
const { packages } = JSON.parse(read("package-lock.json")) as {
  packages: Record<string, PackageEntry>;
};

let paths: string[] = [];
let code: { path: string; text: string }[] = [];
beforeAll(() => {
  const tracked = sourceFiles([""]).map(({ path }) => path);
  paths = shippedFiles(tracked, manifest.scripts ?? {}, read);
  code = paths
    .filter((path) => /\.(ts|mjs|mts)$/.test(path))
    .map((path) => ({ path, text: read(path) }));
});

describe("the files of a release", () => {
  it("are no tests, no data, no secrets and nothing of development", () => {
    const unwanted =
      /\.test\.|(^|\/)(tests?|testing|bench|data|node_modules)\/|(^|\/)\.env$|signing_keys|secrets\.json|\.(tar\.gz|log|pem)$|(^|\/)vite|playwright|tsconfig/;
    expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
    expect(paths.filter((path) => path.startsWith("."))).toEqual([".env.example", ".npmrc"]);
    // An example has names without values that would open anything.
    const secret = /^[A-Z_]*(SECRET|KEY|PASSWORD|TOKEN)[A-Z_]*=\S+/m;
    expect(read(".env.example").match(secret)?.[0]).toBeUndefined();
  });

  it("hold the database, every function, the documents and each command of an operator", () => {
    for (const path of [
      "supabase/config.toml",
      "supabase/migrations/20261127000100_rows.sql",
      "supabase/functions/stripe-webhook/handler.ts",
      "supabase/functions/deno.json",
      "docs/deploy.md",
      "docs/database-login.sql",
      "docs/monitoring/alerts.yml",
      "tools/start.mjs",
      "tools/serve.ts",
      "tools/page-render-worker.ts",
      "tools/admin/export-csv.ts",
      "packages/host/package.json",
    ]) {
      expect(paths).toContain(path);
    }
    const documented = [...read("docs/deploy.md").matchAll(/sudo -u fourfold npm run ([a-z:]+)/g)];
    const names = new Set(documented.map(([, name = ""]) => name));
    expect(names.size).toBeGreaterThan(5);
    expect(
      [...names].filter((name) => !(shippedScripts as readonly string[]).includes(name)),
    ).toEqual([]);
  });

  it("import nothing that is not among them", () => {
    const held = new Set(paths);
    const missing = code.flatMap(({ path, text }) =>
      specifiersOf(text)
        .map((specifier) => relativeTarget(path, specifier))
        .filter((target) => target !== undefined && /\.(ts|mjs|json)$/.test(target))
        .filter((target) => existsSync(new URL(target ?? "", root)) && !held.has(target ?? ""))
        .map((target) => `${path}: ${target}`),
    );
    expect(missing).toEqual([]);
  });
});

describe("the packages of a release", () => {
  it("are those that its files import, and none of the build", () => {
    const shipped = shippedManifest(manifest, importedPackages(code.map(({ text }) => text)));
    expect(shipped).not.toHaveProperty("devDependencies");
    const names = Object.keys(shipped.dependencies ?? {});
    expect(names).toEqual(expect.arrayContaining(["basehost", "node", "pg", "stripe"]));
    for (const name of ["vite", "typescript", "vitest", "@tiptap/core", "tailwindcss"]) {
      expect(names).not.toContain(name);
    }
    expect(Object.keys(shipped.scripts ?? {}).toSorted()).toEqual([...shippedScripts].toSorted());
  });

  it("are locked with all that they need, and nothing else", () => {
    const shipped = shippedManifest(manifest, importedPackages(code.map(({ text }) => text)));
    const lock = shippedLock(packages, shipped);
    expect(Object.keys(lock).filter((path) => !(path in packages))).toEqual([]);
    expect(Object.values(lock).filter((entry) => entry["dev"] === true)).toEqual([]);
    for (const { text, path } of code) {
      for (const name of importedPackages([text])) {
        const folder = /^packages\/[^/]+/.exec(path)?.[0] ?? "";
        const held = `node_modules/${name}` in lock || `${folder}/node_modules/${name}` in lock;
        expect(held || builtinModules.includes(name), `${path}: ${name}`).toBe(true);
      }
    }
    expect(lock["node_modules/vite"]).toBeUndefined();
    expect(Object.keys(lock).length).toBeLessThan(Object.keys(packages).length * 0.6);
  });

  it("are found where npm looks for them: beside a package first, then above", () => {
    const lock = shippedLock(
      {
        "": { dependencies: { a: "1", b: "1" } },
        "node_modules/a": { dependencies: { c: "2" } },
        "node_modules/a/node_modules/c": { dependencies: { d: "1" } },
        "node_modules/b": {
          peerDependencies: { e: "1", g: "1" },
          peerDependenciesMeta: { g: { optional: true } },
          devOptional: true,
        },
        "node_modules/c": {},
        "node_modules/d": {},
        "node_modules/e": { devDependencies: { f: "1" } },
        "node_modules/f": { dev: true },
        "node_modules/g": {},
      },
      { dependencies: { a: "1", b: "1" } },
    );
    expect(Object.keys(lock).filter((path) => path !== "")).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/c",
      "node_modules/b",
      "node_modules/d",
      "node_modules/e",
    ]);
    expect(lock["node_modules/b"]).toMatchObject({ optional: true });
  });
});
