import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyPrepared } from "../support/prepared-folders.ts";
import { databaseProcesses, processTree, survivors } from "../support/process-tree.ts";
import {
  assertPrepared,
  freePort,
  spawnCommand,
  spawnScript,
  type Spawned,
} from "../support/spawn-product.ts";

const password = "Correct-Horse-42!";
const readyText = "Fourfold is ready";
const bootError = 78;

let folder = "";
let dataDir = "";

beforeAll(async () => {
  assertPrepared();
  folder = await mkdtemp(join(tmpdir(), "fourfold-restarts-"));
  dataDir = join(folder, "data");
  await copyPrepared("product", dataDir);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** `npm start` without npm: the supervisor and the server below it. */
async function start(): Promise<Spawned & { url: string }> {
  const port = await freePort();
  const env = { DATA_DIR: dataDir, PORT: `${port}`, DEMO: "0" };
  const spawned = spawnCommand(process.execPath, ["tools/start.mjs"], env);
  await spawned.says(readyText);
  return { ...spawned, url: `http://127.0.0.1:${port}` };
}

function serverOf(spawned: Spawned): number {
  const server = processTree(spawned.child.pid ?? 0).find(({ command }) =>
    command.includes("tools/serve.ts"),
  );
  if (!server) throw new Error("the server does not run");
  return server.pid;
}

async function clientOf(url: string): Promise<SupabaseClient> {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { supabaseAnonKey: string };
  return createClient(url, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
}

async function stop(spawned: Spawned): Promise<void> {
  const processes = [...processTree(spawned.child.pid ?? 0), ...databaseProcesses(dataDir)];
  spawned.child.kill("SIGTERM");
  expect(await spawned.ended).toBe(0);
  expect(survivors(processes)).toEqual([]);
  expect(existsSync(join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
}

describe("a server that dies is started again", () => {
  it("after kill -9, over the database it left running, without losing data", async () => {
    const product = await start();
    const email = "kept@example.test";
    const before = await (await clientOf(product.url)).auth.signUp({ email, password });
    expect(before.error).toBeNull();
    const first = serverOf(product);
    process.kill(first, "SIGKILL");
    await product.says("The server ended (signal SIGKILL); it starts again in 1 s.");
    const isReady = async () =>
      await fetch(`${product.url}/readyz`).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(isReady, { timeout: 60_000, interval: 200 }).toBe(200);
    expect(serverOf(product)).not.toBe(first);
    const after = await (await clientOf(product.url)).auth.signInWithPassword({ email, password });
    expect(after.data.user?.id).toBe(before.data.user?.id);
    await stop(product);
  });

  it("and not while it is being stopped: the database it left behind is stopped instead", async () => {
    const product = await start();
    const database = databaseProcesses(dataDir);
    process.kill(serverOf(product), "SIGKILL");
    await product.says("it starts again in 1 s.");
    product.child.kill("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(survivors(database)).toEqual([]);
    expect(product.output().split(readyText)).toHaveLength(2);
  });

  it("and not when it was told to end itself", async () => {
    const product = await start();
    process.kill(serverOf(product), "SIGTERM");
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toContain("it starts again");
    expect(databaseProcesses(dataDir)).toEqual([]);
  });
});

describe("a start that cannot work is not tried again", () => {
  it("when the environment is wrong", async () => {
    const env = { DATA_DIR: dataDir, PORT: "http", DEMO: "0" };
    const refused = spawnCommand(process.execPath, ["tools/start.mjs"], env);
    expect(await refused.ended).toBe(bootError);
    expect(refused.output()).toContain("PORT: ");
    expect(refused.output()).not.toContain("it starts again");
  });

  it("when another start holds the data folder, which stays unchanged with its database", async () => {
    const first = await start();
    const env = { DATA_DIR: dataDir, PORT: `${await freePort()}`, DEMO: "0" };
    const second = spawnCommand(process.execPath, ["tools/start.mjs"], env);
    expect(await second.ended).toBe(bootError);
    expect(second.output()).toContain("Another host is already running over the data folder");
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    await stop(first);
  });
});

describe("an error that nothing handled", () => {
  const crash = (thrown: string, level: string) => `
    import { pino } from "pino";
    import { serveUntilStopped } from "basehost";
    serveUntilStopped(pino({ level: ${JSON.stringify(level)} }), { stop: async () => {} });
    setTimeout(() => { ${thrown} });
    setInterval(() => {}, 1000);`;

  it.each([
    ["an exception", `throw new Error("out of the blue")`, "warn"],
    ["a rejection", `Promise.reject(new Error("out of the blue"))`, "warn"],
    ["an exception, with logs turned off", `throw new Error("out of the blue")`, "silent"],
  ])("is written down with its stack and ends the process: %s", async (_name, thrown, level) => {
    const spawned = spawnScript(["--input-type=module", "-e", crash(thrown, level)], {});
    expect(await spawned.ended).toBe(70);
    expect(spawned.output()).toContain("Error: out of the blue");
    expect(spawned.output()).toContain("    at ");
  });
});
