import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLong } from "../support/long-form.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { databaseProcesses, processTree, survivors } from "../support/process-tree.ts";
import {
  assertPrepared,
  freePort,
  projectRoot,
  spawnCommand,
  type Spawned,
} from "../support/spawn-product.ts";
import { timeLimitMs } from "../support/time-limits.ts";

/** All processes must have ended by then, whichever of them got the signal. */
const stopLimitMs = timeLimitMs(15);

const commands = {
  start: { args: ["start"], script: "tools/start.mjs", ready: "Fourfold is ready" },
  host: {
    args: [
      "run",
      "host",
      "--",
      "--project",
      join(projectRoot, "tests", "fixtures", "other-project"),
    ],
    script: "tools/host.mjs",
    ready: "service role key",
  },
  dev: { args: ["run", "dev"], script: "tools/dev.mjs", ready: "Fourfold in development" },
} as const;

type Target = "npm" | "script" | "group";

type Case = readonly [keyof typeof commands, Target, NodeJS.Signals];

const cases: readonly Case[] = [
  ["start", "npm", "SIGTERM"],
  ["start", "npm", "SIGINT"],
  ["start", "npm", "SIGHUP"],
  ["start", "npm", "SIGKILL"],
  ["start", "script", "SIGTERM"],
  ["start", "script", "SIGINT"],
  ["start", "script", "SIGHUP"],
  ["start", "script", "SIGKILL"],
  // Ctrl-C, and a terminal that closes: every process of the terminal's group gets the signal.
  ["start", "group", "SIGINT"],
  ["start", "group", "SIGHUP"],
  ["host", "npm", "SIGTERM"],
  ["host", "npm", "SIGKILL"],
  ["host", "script", "SIGTERM"],
  ["host", "script", "SIGKILL"],
  ["host", "group", "SIGINT"],
  ["dev", "npm", "SIGTERM"],
  ["dev", "npm", "SIGKILL"],
  ["dev", "script", "SIGTERM"],
  ["dev", "script", "SIGKILL"],
  ["dev", "group", "SIGINT"],
];

/** Each command by each way, and no way twice that the same lines of code serve. `npm run test:long` tries them all. */
const shortCases: readonly Case[] = [
  ["start", "npm", "SIGTERM"],
  ["start", "npm", "SIGKILL"],
  ["start", "script", "SIGTERM"],
  ["start", "script", "SIGKILL"],
  ["start", "group", "SIGINT"],
  ["start", "group", "SIGHUP"],
  ["host", "npm", "SIGKILL"],
  ["host", "script", "SIGTERM"],
  ["dev", "script", "SIGKILL"],
  ["dev", "group", "SIGINT"],
];

let folder = "";

beforeAll(async () => {
  assertPrepared();
  folder = await mkdtemp(join(tmpdir(), "fourfold-stopping-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function signal(spawned: Spawned, script: string, target: Target, name: NodeJS.Signals): void {
  const npm = spawned.child.pid ?? 0;
  if (target === "npm") process.kill(npm, name);
  else if (target === "group") process.kill(-npm, name);
  else {
    // The shell that npm runs the script in may carry its name, too.
    const found = processTree(npm).findLast(
      ({ command }) => /^\S*node\S* tools\//.test(command) && command.includes(script),
    );
    if (!found) throw new Error(`no process runs ${script}`);
    process.kill(found.pid, name);
  }
}

describe("nothing is left running", () => {
  it.each(isLong ? cases : shortCases)(
    "after npm (%s): %s gets %s",
    async (name, target, signalName) => {
      const command = commands[name];
      const dataDir = join(folder, name);
      if (name !== "host") await copyPrepared("product", dataDir);
      const spawned = spawnCommand("npm", command.args, {
        DATA_DIR: dataDir,
        PORT: `${await freePort()}`,
        DEMO: "0",
      });
      await spawned.says(command.ready);
      const processes = [...processTree(spawned.child.pid ?? 0), ...databaseProcesses(dataDir)];
      // npm, its script, the server, and PostgreSQL with its workers.
      expect(processes.length).toBeGreaterThan(5);

      try {
        const signalledAt = Date.now();
        signal(spawned, command.script, target, signalName);
        await expect
          .poll(() => survivors(processes), { timeout: stopLimitMs, interval: 100 })
          .toEqual([]);
        expect(Date.now() - signalledAt).toBeLessThan(stopLimitMs);
        // PostgreSQL removes its pid file only when it was shut down in order.
        expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
        await spawned.ended;
      } finally {
        for (const { pid } of survivors(processes)) process.kill(pid, "SIGKILL");
      }
    },
  );
});
