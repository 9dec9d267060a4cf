import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyPrepared } from "../support/prepared-folders.ts";
import { freePort, projectRoot, spawnScript, type Spawned } from "../support/spawn-product.ts";
import { newEmail, testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";

const documentedFolder = "/var/backups/fourfold";

let folder = "";
let url = "";
let product: Spawned | undefined;
/** The blocks of docs/deploy.md on backups, in their order: making one, by schedule, restoring it. */
let steps: string[] = [];

async function run(script: string, ...args: string[]): Promise<string> {
  const spawned = spawnScript([join(projectRoot, "tools", script), ...args], {}, folder);
  expect(await spawned.ended, spawned.output()).toBe(0);
  return spawned.output();
}

async function start(): Promise<void> {
  product = spawnScript([join(projectRoot, "tools", "serve.ts")], {}, folder);
  await product.says("Fourfold is ready");
}

/** As systemd does, also when it has ended already. */
async function stop(): Promise<void> {
  product?.child.kill("SIGTERM");
  if (product) expect(await product.ended).toBe(0);
}

/** Does one documented line as it stands, without the account, the service and the folder of the document. */
async function type(line: string): Promise<string> {
  const typed = line.replaceAll(documentedFolder, join(folder, "backups"));
  const [, made] = /^sudo install -d -o fourfold -g fourfold -m 0700 (\S+)$/.exec(typed) ?? [];
  const [, command = "", args = ""] =
    /^sudo -u fourfold npm run (backup|restore) -- (.+)$/.exec(typed) ?? [];
  if (made !== undefined) await mkdir(made, { mode: 0o700 });
  else if (command !== "") return await run(`${command}.ts`, ...args.split(" "));
  else if (typed === "sudo systemctl stop fourfold") await stop();
  else if (typed === "sudo systemctl start fourfold") await start();
  else throw new Error(`no such step: ${line}`);
  return "";
}

async function typeAll(block: string): Promise<string> {
  let output = "";
  for (const line of block.split("\n")) output += await type(line);
  return output;
}

const client = async () => {
  const config = (await (await fetch(`${url}/config.json`)).json()) as { supabaseAnonKey: string };
  return createClient(url, config.supabaseAnonKey, { auth: { persistSession: false } });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restore-document-"));
  await copyPrepared("product", join(folder, "data"));
  const text = await readFile(join(projectRoot, "docs", "deploy.md"), "utf8");
  const [, section = ""] =
    /^\*\*Backups\.\*\*([\s\S]+?)^Restore only archives that you trust/m.exec(text) ?? [];
  steps = [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, body = ""]) => body.trim());
  await run("keys.ts", ".env");
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  // The prepared folder has a data key of its own.
  const env = (await readFile(join(folder, ".env"), "utf8")).replace(/^DATA_KEY=.*\n/m, "");
  await writeFile(join(folder, ".env"), `${env}PORT=${port}\nDATA_DIR=./data\nDEMO=0\n`);
  await start();
}, timeLimitMs(180));
afterAll(async () => {
  product?.child.kill("SIGTERM");
  await product?.ended;
  await rm(folder, { recursive: true, force: true });
});

it(
  "docs/deploy.md backs up a running install, and brings it back as it was",
  { timeout: timeLimitMs(300) },
  async () => {
    const [making, bySchedule, restoring] = steps;
    expect(steps).toHaveLength(3);
    const member = { email: newEmail(), password: testPassword };
    const later = { email: newEmail(), password: testPassword };
    expect((await (await client()).auth.signUp(member)).error).toBeNull();
    await typeAll(making ?? "");
    expect((await (await client()).auth.signUp(later)).error).toBeNull();

    // The folder holds an install: the document has `--replace` added to the second line.
    const lines = (restoring ?? "").split("\n");
    const replacing = lines.map((line, at) => (at === 1 ? `${line} --replace` : line));
    expect(await typeAll(replacing.join("\n"))).toContain("every checksum right");
    const restored = await client();
    expect((await restored.auth.signInWithPassword(later)).error?.code).toBe("invalid_credentials");
    expect((await restored.auth.signInWithPassword(member)).error).toBeNull();
    expect((await readdir(folder)).filter((name) => name.startsWith("data.before-"))).toHaveLength(
      1,
    );

    // On another machine, where the folder is not there yet, the lines stand as they are, and backups are made by schedule.
    await stop();
    await rm(join(folder, "data"), { recursive: true });
    const settings = (bySchedule ?? "").replace(documentedFolder, join(folder, "backups"));
    await writeFile(join(folder, ".env"), `${settings}\n`, { flag: "a" });
    expect(await typeAll(restoring ?? "")).toContain("every checksum right");
    expect((await (await client()).auth.signInWithPassword(member)).error).toBeNull();
    await expect
      .poll(async () => (await readdir(join(folder, "backups"))).toSorted(), {
        timeout: timeLimitMs(60),
        interval: 500,
      })
      .toEqual([expect.stringMatching(/^backup-\d{8}T/), "before-update.tar.gz"]);
  },
);
