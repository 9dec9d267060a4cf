import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../support/spawn-product.ts";
import { projectWith } from "./project-with.ts";

it("makes a project with its own schedules, and removes those that killed runs left", async () => {
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const cache = join(projectRoot, ".cache");
  const [left, ofOlderName, inUse] = [
    join(cache, `troubles-${ended}-left`, "supabase"),
    join(cache, "troubles-left", "supabase"),
    join(cache, `troubles-${process.ppid}-used`, "supabase"),
  ] as const;
  for (const folder of [left, ofOlderName, inUse]) await mkdir(folder, { recursive: true });
  const project = await projectWith({ "send-emails": 2 });
  try {
    expect([left, ofOlderName, inUse].map((folder) => existsSync(folder))).toEqual([
      false,
      false,
      true,
    ]);
    const path = join(project.root, "supabase", "functions", "schedules.json");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual([
      { function: "send-emails", every_seconds: 2 },
    ]);
  } finally {
    await project.remove();
    await rm(join(inUse, ".."), { recursive: true });
  }
  expect(existsSync(project.root)).toBe(false);
});
