import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findEmbeddedPostgres, loadSecrets } from "basehost/database";
import { databaseProcesses, processTree, survivors } from "../support/process-tree.ts";
import { freePort, projectRoot, spawnCommand, type Spawned } from "../support/spawn-product.ts";

const password = "Correct-Horse-42!";
const patience = { timeout: 60_000, interval: 100 };
const fixture = join(projectRoot, "tests", "fixtures", "other-project");

let folder = "";
let dataDir = "";
let host: Spawned;
let url = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-database-"));
  dataDir = join(folder, "data");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  host = start(port);
  await host.says("service role key");
});

afterEach(async () => {
  const processes = [...processTree(host.child.pid ?? 0), ...databaseProcesses(dataDir)];
  host.child.kill("SIGTERM");
  expect(await host.ended).toBe(0);
  // A server takes its file away a moment before it has ended.
  await expect.poll(() => survivors(processes)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** The host below its supervisor, as an operator starts it. */
function start(port: number): Spawned {
  return spawnCommand(process.execPath, ["tools/host.mjs", "--project", fixture], {
    DATA_DIR: dataDir,
    PORT: `${port}`,
  });
}

function client(): SupabaseClient {
  const anonKey = /anon key +(\S+)/.exec(host.output())?.[1] ?? "";
  return createClient(url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } });
}

const server = () =>
  processTree(host.child.pid ?? 0).find(({ command }) => command.includes("src/main.ts"))?.pid;

async function answers(path: string): Promise<unknown[]> {
  return await fetch(`${url}${path}`).then(
    async (answer) => [answer.status, await answer.json()],
    () => [],
  );
}

async function signedUp(): Promise<string> {
  const email = "kept@example.test";
  const { error } = await client().auth.signUp({ email, password });
  expect(error).toBeNull();
  return email;
}

async function expectBack(email: string): Promise<void> {
  await expect
    .poll(async () => await answers("/readyz"), patience)
    .toEqual([200, { status: "ready" }]);
  expect(await answers("/healthz")).toEqual([200, { status: "ok" }]);
  // The host may have been asked before it heard of the kill.
  await expect
    .poll(async () => (await client().auth.signInWithPassword({ email, password })).error, patience)
    .toBeNull();
}

/** A connection of a test's own to the embedded server. */
async function connect(): Promise<pg.Client> {
  const { databasePassword } = await loadSecrets(dataDir);
  const running = await findEmbeddedPostgres(join(dataDir, "postgres"), databasePassword);
  const own = new pg.Client({ connectionString: running?.url ?? "" });
  own.on("error", () => undefined);
  await own.connect();
  return own;
}

describe("PostgreSQL that is killed, as when memory is short", () => {
  it("repairs itself after the kill of one backend, and the same host goes on, alone over its folder", async () => {
    const email = await signedUp();
    const before = server();
    const own = await connect();
    const { rows } = await own.query<{ pid: number }>("select pg_backend_pid() as pid");
    const ended = new Promise((resolve) => own.once("end", resolve));
    process.kill(rows[0]?.pid ?? 0, "SIGKILL");
    await ended;
    await expectBack(email);
    expect(server()).toBe(before);
    // The lock on the folder went with the connections, and is held again.
    const second = start(await freePort());
    expect(await second.ended).toBe(78);
    expect(second.output()).toContain("Another host is already running over the data folder");
  });

  it("is started anew with the host after the kill of the whole server, although a process of it still works", async () => {
    const email = await signedUp();
    const before = server();
    const own = await connect();
    const busy = own.query("select count(*) from generate_series(1, 20000000)").catch(() => 0);
    const [postmaster] = databaseProcesses(dataDir);
    process.kill(postmaster?.pid ?? 0, "SIGKILL");
    await host.says("it starts again in 1 s.");
    expect(host.output()).toContain("the database is lost");
    await expectBack(email);
    expect(server()).not.toBe(before);
    await busy;
    await own.end();
  });
});
