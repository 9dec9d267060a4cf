import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { putReplacedAssetsBack, setAssetsAside } from "./replaced-assets.mjs";

const dayMs = 24 * 60 * 60 * 1000;
let root: string;
let assets: string;
let store: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assets-"));
  [assets, store] = [join(root, "dist", "assets"), join(root, "store")];
});
afterEach(() => rmSync(root, { recursive: true }));

/** Builds files as the bundler does, into an emptied folder, some days from now. */
function build(days: number, ...names: string[]): readonly string[] {
  setAssetsAside(assets, store);
  rmSync(assets, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  for (const name of names) writeFileSync(join(assets, name), name);
  putReplacedAssetsBack(assets, store, Date.now() + days * dayMs);
  return readdirSync(assets).sort();
}

it("serves what a build replaced for a week", () => {
  expect(build(0, "app-1.js", "font.woff2")).toEqual(["app-1.js", "font.woff2"]);
  expect(build(0, "app-2.js", "font.woff2")).toEqual(["app-1.js", "app-2.js", "font.woff2"]);
  expect(build(6, "app-3.js")).toEqual(["app-1.js", "app-2.js", "app-3.js", "font.woff2"]);
  expect(build(8, "app-4.js")).toEqual(["app-4.js"]);
});

it("counts the week of a file anew when a later build has it again", () => {
  build(0, "app-1.js");
  build(0, "app-2.js");
  expect(build(6, "app-1.js")).toEqual(["app-1.js", "app-2.js"]);
  expect(readdirSync(store)).toEqual(["app-2.js"]);
});
