import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { loadSecrets } from "./secrets.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secrets-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

it("are the same for all that start over a new folder at once, and stay", async () => {
  const dataDir = join(folder, "data");
  const found = await Promise.all(Array.from({ length: 20 }, async () => loadSecrets(dataDir)));
  found.push(await loadSecrets(dataDir));
  expect(new Set(found.map((secrets) => JSON.stringify(secrets))).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(["secrets.json"]);
});
