import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { featuresOffInPlaywright } from "./browser-features.ts";

it("the browser tests turn off what the installed Playwright turns off", async () => {
  const place = createRequire(import.meta.url).resolve("@playwright/test/package.json");
  const core = createRequire(place).resolve("playwright-core/package.json");
  const text = await readFile(join(dirname(core), "lib", "coreBundle.js"), "utf8");
  const [, list = ""] = /^\s*disabledFeatures = \[$([^\]]*)\]/m.exec(text) ?? [];
  const names = [...list.matchAll(/^\s*"(\w+)"/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(featuresOffInPlaywright).toEqual(names);
});
