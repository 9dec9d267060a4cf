import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasLockedPackages, isSameInstall, withoutDevelopment } from "./installed-packages.mjs";

const locked = {
  "": { version: "0.2.0" },
  "node_modules/hono": { version: "4.13.19", integrity: "sha512-hono" },
  "node_modules/@x/a": { resolved: "packages/a", link: true },
  "packages/a": { version: "1.0.0" },
  "node_modules/@sharp/darwin": { version: "1.0.0", integrity: "sha512-sharp", optional: true },
};
const { "": _, "node_modules/@sharp/darwin": optional, ...installed } = locked;

describe("an installation is the locked one", () => {
  it("as npm records it, without the optional packages of other platforms", () => {
    expect(isSameInstall(locked, installed)).toBe(true);
    expect(isSameInstall(locked, { ...installed, "node_modules/@sharp/darwin": optional })).toBe(
      true,
    );
  });

  it("when npm records another set of descriptive fields", () => {
    const hono = { ...installed["node_modules/hono"], resolved: "https://registry.example/hono" };
    expect(isSameInstall(locked, { ...installed, "node_modules/hono": hono })).toBe(true);
  });
});

describe("an installation without the packages of development", () => {
  const all = { ...locked, "node_modules/vitest": { version: "5.1.0", dev: true } };

  it("is whole where they are left out on purpose, and nowhere else", () => {
    expect(isSameInstall(withoutDevelopment(all), installed)).toBe(true);
    expect(isSameInstall(all, installed)).toBe(false);
    const { "node_modules/hono": _hono, ...rest } = installed;
    expect(isSameInstall(withoutDevelopment(all), rest)).toBe(false);
  });
});

describe("an installation is another one", () => {
  it.each([
    ["version", { "node_modules/hono": { version: "4.13.18", integrity: "sha512-hono" } }],
    ["content", { "node_modules/hono": { version: "4.13.19", integrity: "sha512-other" } }],
    ["workspace", { "node_modules/@x/a": { resolved: "packages/b", link: true } }],
    ["kind", { "node_modules/@x/a": { version: "1.0.0", integrity: "sha512-a" } }],
    ["optional version", { "node_modules/@sharp/darwin": { ...optional, version: "1.0.1" } }],
    ["extra package", { "node_modules/left-pad": { version: "1.3.0" } }],
  ])("when one has another %s", (_name, change) => {
    expect(isSameInstall(locked, { ...installed, ...change })).toBe(false);
  });

  it("when a package is missing", () => {
    const { "node_modules/hono": _hono, ...rest } = installed;
    expect(isSameInstall(locked, rest)).toBe(false);
  });
});

describe("a folder that npm installs", () => {
  let folder: string;
  const npm = (...args: string[]) =>
    execFileSync("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
    });
  const write = (path: string, content: object) => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, "package.json"), JSON.stringify(content));
  };

  // A workspace, a package from a tarball, and one for another platform.
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "installed-packages-"));
    write("packages/inner", { name: "inner", version: "1.0.0" });
    write("sources/needed", { name: "needed", version: "1.0.0" });
    write("sources/foreign", { name: "foreign", version: "1.0.0", os: ["aix"] });
    npm("pack", "./sources/needed", "./sources/foreign");
    write("", {
      name: "outer",
      version: "1.0.0",
      workspaces: ["packages/*"],
      dependencies: { needed: "file:needed-1.0.0.tgz" },
      optionalDependencies: { foreign: "file:foreign-1.0.0.tgz" },
    });
    npm("install", "--package-lock-only");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("has its packages after `npm ci`, and no longer once the lock file changes", () => {
    expect(hasLockedPackages(folder)).toBe(false);
    npm("ci");
    expect(existsSync(join(folder, "node_modules", "needed"))).toBe(true);
    expect(existsSync(join(folder, "node_modules", "foreign"))).toBe(false);
    expect(hasLockedPackages(folder)).toBe(true);

    const lock = join(folder, "package-lock.json");
    const text = readFileSync(lock, "utf8");
    const integrity = /("node_modules\/needed": \{[^}]+"integrity": "sha512-)/;
    expect(text).toMatch(integrity);
    writeFileSync(lock, text.replace(integrity, "$1other"));
    expect(hasLockedPackages(folder)).toBe(false);
    writeFileSync(lock, text);
    expect(hasLockedPackages(folder)).toBe(true);
  });

  it("does not have them when npm's record is broken", () => {
    writeFileSync(join(folder, "node_modules", ".package-lock.json"), "{");
    expect(hasLockedPackages(folder)).toBe(false);
  });
});
