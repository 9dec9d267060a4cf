import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runVariable } from "../../tools/leave-nothing.mjs";
import { processesOfRun } from "../../tools/run-processes.mjs";
import { commandsOf } from "../support/process-tree.ts";
import { spawnScript } from "../support/spawn-product.ts";
import { timeLimitMs } from "../support/time-limits.ts";

const patience = { timeout: timeLimitMs(30), interval: 100 };

let run = "";

afterEach(() => {
  for (const pid of processesOfRun(run)) process.kill(pid, "SIGKILL");
});

/** Everything that the run started and that still runs. */
const running = () => processesOfRun(run);

it.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "a command that gets %s ends the daemon it started",
  async (signal) => {
    run = randomUUID();
    // The daemon has a session and standard streams of its own, as a PostgreSQL server does, and its parent is gone.
    const daemon = `process.on("SIGHUP", () => undefined); setInterval(() => undefined, 1000);`;
    const starter = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(daemon)}],
    { detached: true, stdio: "ignore" }).unref();`;
    const command = `
    import { spawnSync } from "node:child_process";
    import { leaveNothingRunning } from "./tools/leave-nothing.mjs";
    leaveNothingRunning();
    spawnSync(process.execPath, ["-e", ${JSON.stringify(starter)}]);
    console.log("started");
    setInterval(() => undefined, 1000);`;
    const spawned = spawnScript(["--input-type=module", "-e", command], { [runVariable]: run });
    await spawned.says("started");
    expect(commandsOf(running()).some((text) => text.includes("SIGHUP"))).toBe(true);
    spawned.child.kill(signal);
    await expect.poll(running, patience).toEqual([]);
  },
);

it("of a killed command no folder is left that it named", async () => {
  run = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), "fourfold-left-"));
  const command = `
    import { mkdirSync } from "node:fs";
    import { leaveNoFolder, leaveNothingRunning } from "./tools/leave-nothing.mjs";
    leaveNothingRunning();
    leaveNoFolder(${JSON.stringify(folder)});
    mkdirSync(${JSON.stringify(join(folder, "data"))});
    console.log("started");
    setInterval(() => undefined, 1000);`;
  const spawned = spawnScript(["--input-type=module", "-e", command], { [runVariable]: run });
  await spawned.says("started");
  expect(existsSync(join(folder, "data"))).toBe(true);
  spawned.child.kill("SIGKILL");
  await expect.poll(() => existsSync(folder), patience).toBe(false);
});

it("of a killed command no temporary files are left of what it started", async () => {
  run = randomUUID();
  const child = `
    const folder = require("node:fs").mkdtempSync(require("node:path").join(require("node:os").tmpdir(), "keys-"));
    console.log("made " + folder);
    setInterval(() => undefined, 1000);`;
  const command = `
    import { spawn } from "node:child_process";
    import { leaveNothingRunning, makeTemporaryFolder } from "./tools/leave-nothing.mjs";
    leaveNothingRunning();
    const env = { ...process.env, TMPDIR: makeTemporaryFolder() };
    spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { env, stdio: "inherit" });`;
  const spawned = spawnScript(["--input-type=module", "-e", command], { [runVariable]: run });
  await spawned.says("made");
  const [folder = ""] = /(?<=made ).+(?=\/keys-)/.exec(spawned.output()) ?? [];
  expect(existsSync(folder)).toBe(true);
  spawned.child.kill("SIGKILL");
  await expect.poll(() => existsSync(folder), patience).toBe(false);
});

it("a command that ends by itself ends the daemon it started", async () => {
  run = randomUUID();
  const command = `
    import { spawn } from "node:child_process";
    import { leaveNothingRunning } from "./tools/leave-nothing.mjs";
    leaveNothingRunning();
    const daemon = "setInterval(() => undefined, 1000)";
    spawn(process.execPath, ["-e", daemon], { detached: true, stdio: "ignore" }).unref();`;
  const spawned = spawnScript(["--input-type=module", "-e", command], { [runVariable]: run });
  expect(await spawned.ended).toBe(0);
  await expect.poll(running, patience).toEqual([]);
});
