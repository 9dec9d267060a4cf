import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { copyPrepared, prepareFolder } from "./prepared-folders.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kept-folders-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const start = async () => await Promise.reject(new Error("started"));

test("a suite takes what an earlier one prepared, and leaves it for the next", async () => {
  vi.stubEnv("PREPARED_FOLDERS", join(folder, "kept"));
  await mkdir(join(folder, "kept", "host", "data"), { recursive: true });
  await writeFile(join(folder, "kept", "host", "data", "kept"), "by the first suite");
  const remove = await prepareFolder("host", start);
  await copyPrepared("host", join(folder, "copy"));
  expect(await readFile(join(folder, "copy", "kept"), "utf8")).toBe("by the first suite");
  await remove();
  const again = await prepareFolder("host", start);
  await again();
});

test("a suite that finds nothing prepared makes it", async () => {
  vi.stubEnv("PREPARED_FOLDERS", folder);
  await expect(prepareFolder("host", start)).rejects.toThrow("started");
  vi.stubEnv("PREPARED_FOLDERS", undefined);
  await expect(prepareFolder("host", start)).rejects.toThrow("started");
});
