import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyPrepared } from "../support/prepared-folders.ts";
import { freePort, projectRoot, spawnScript, type Spawned } from "../support/spawn-product.ts";

const serveScript = join(projectRoot, "tools", "serve.ts");
const readyText = "Fourfold is ready";
/** Exit code of a start that cannot work. */
const bootError = 78;
const notYet = 75;

let folder = "";
let dataDir = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-life-"));
  dataDir = join(folder, "data");
  await copyPrepared("product", dataDir);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Processes whose command line or environment mentions our data folder. */
function processesOver(path: string): string[] {
  return execFileSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(path) && !line.includes("ps -eo") && !/^\s*\d+\s+Z/.test(line));
}

async function start(env: Record<string, string> = {}): Promise<Spawned & { url: string }> {
  const port = await freePort();
  const spawned = spawnScript(
    [serveScript],
    { DATA_DIR: dataDir, PORT: `${port}`, DEMO: "0", ...env },
    folder,
  );
  await spawned.says(readyText);
  return { ...spawned, url: `http://127.0.0.1:${port}` };
}

async function expectReady(url: string): Promise<void> {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
}

describe("the life of an install", () => {
  it("starts, answers, and on SIGTERM leaves no process behind", async () => {
    const product = await start();
    await expectReady(product.url);
    expect(processesOver(dataDir).length).toBeGreaterThan(0);
    product.child.kill("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(processesOver(dataDir)).toEqual([]);
  });

  it("ends when the process that started it is gone", async () => {
    // The wrapper dies without a chance to pass anything on.
    const wrapper = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, [${JSON.stringify(serveScript)}], { stdio: ["ignore", 1, 2, "ipc"] });
      child.unref();`;
    const port = await freePort();
    const env = { DATA_DIR: dataDir, PORT: `${port}`, DEMO: "0" };
    const outer = spawnScript(["-e", wrapper], env, folder);
    await outer.says(readyText);
    outer.child.kill("SIGKILL");
    // The pipe closes when the last process that holds it has ended.
    await outer.ended;
    expect(processesOver(dataDir)).toEqual([]);
  });

  it("starts again by itself after SIGKILL, with everything it had", async () => {
    const first = await start();
    const before = await fetch(`${first.url}/config.json`).then(async (r) => await r.text());
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await start();
    await expectReady(second.url);
    const after = await fetch(`${second.url}/config.json`).then(async (r) => await r.text());
    expect(after.replaceAll(second.url, "")).toBe(before.replaceAll(first.url, ""));
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
  });

  it("refuses a second start over the same data folder and leaves the first alone", async () => {
    const first = await start();
    const second = spawnScript(
      [serveScript],
      { DATA_DIR: dataDir, PORT: `${await freePort()}`, DEMO: "0" },
      folder,
    );
    expect(await second.ended).toBe(bootError);
    expect(second.output().trim()).toBe(
      `Another host is already running over the data folder ${dataDir}.`,
    );
    await expectReady(first.url);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);
  });
});

describe("a start that cannot work ends with one clear sentence", () => {
  async function refusal(
    env: Record<string, string>,
    cwd = folder,
    code = bootError,
  ): Promise<string> {
    const spawned = spawnScript([serveScript], { DATA_DIR: dataDir, PORT: "0", ...env }, cwd);
    expect(await spawned.ended).toBe(code);
    expect(spawned.output()).not.toContain("    at ");
    return spawned.output().trim();
  }

  it("says so when the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await refusal({ PORT: `${port}` })).toBe(
      `Port ${port} is already in use; stop the other program or set PORT.`,
    );
    other.close();
  });

  it("names the line of a broken .env", async () => {
    const broken = join(folder, "broken");
    await rm(broken, { recursive: true, force: true });
    await mkdir(broken);
    await writeFile(join(broken, ".env"), "PORT=0\nthis is not an assignment\n");
    expect(await refusal({}, broken)).toContain(
      ".env is not usable: line 2 should read NAME=value or start with #.",
    );
  });

  it("lists every wrong value at once", async () => {
    const output = await refusal({ PORT: "http", SUPABASE_JWT_SECRET: "short", DEMO: "yes" });
    expect(output.split("\n")).toHaveLength(4);
    expect(output).toContain("PORT: ");
    expect(output).toContain("SUPABASE_JWT_SECRET: must have at least 32 characters");
    expect(output).toContain("DEMO: must be 0 or 1");
  });

  it("refuses a secret that is long and no secret", async () => {
    for (const secret of ["a".repeat(40), "abc123".repeat(8)]) {
      const output = await refusal({ SUPABASE_JWT_SECRET: secret });
      expect(output).toContain("SUPABASE_JWT_SECRET: can be guessed; use random characters");
      expect(output).not.toContain(secret);
    }
  });

  it("says so when nothing answers at DATABASE_URL, and that it may later", async () => {
    const port = await freePort();
    const env = { DATABASE_URL: `postgresql://u:p@127.0.0.1:${port}/x` };
    const output = await refusal(env, folder, notYet);
    expect(output).toContain(`The database at 127.0.0.1:${port}/x cannot be reached: `);
    expect(output.split("\n")).toHaveLength(1);
  });

  it("refuses production without secrets, with the sandbox or with demo accounts", async () => {
    const output = await refusal({ NODE_ENV: "production", DEMO: "1" });
    for (const name of [
      "SUPABASE_JWT_SECRET",
      "SUPABASE_ANON_KEY",
      "SUPABASE_SERVICE_ROLE_KEY",
      "PUBLIC_URL",
      "STRIPE_SECRET_KEY",
      "SMTP_URL",
      "DEMO",
    ]) {
      expect(output).toContain(`${name}: `);
    }
  });

  it("left the data folder as it was", async () => {
    const product = await start();
    await expectReady(product.url);
    product.child.kill("SIGTERM");
    expect(await product.ended).toBe(0);
  });
});
