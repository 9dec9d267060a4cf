import { createHash } from "node:crypto";
import { watch } from "node:fs";
import {
  access,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProduct } from "../support/backend-setup.ts";
import { sha256, startWriters, type Bucket } from "../support/backup-writers.ts";
import type { RunningHost } from "../support/running.ts";
import { freePort, projectRoot, spawnScript, type Spawned } from "../support/spawn-product.ts";

const bootError = 78;
const bucket = "backup-test";
const member = { email: "ada@backup.test", password: "Correct-Horse-42!" };

let folder = "";
let running: RunningHost;
let stopProduct = async () => await Promise.resolve();
let files: Bucket;
let pool: pg.Pool;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-backup-"));
  const product = await startTestProduct();
  ({ running, stop: stopProduct } = product);
  pool = new pg.Pool({ connectionString: running.databaseUrl, max: 4 });
  // As in an install: a backup is about what was acknowledged, and writers that wait for no disk write much more.
  for (const setting of ["fsync", "full_page_writes"]) {
    await pool.query(`alter system set ${setting} = on`);
  }
  await pool.query("select pg_reload_conf()");
  await pool.query("create table private.backup_test_writes (writer integer, number integer)");
  const service = serviceOf(running.url);
  expect(
    (await service.auth.admin.createUser({ ...member, email_confirm: true })).error,
  ).toBeNull();
  expect((await service.storage.createBucket(bucket)).error).toBeNull();
  files = service.storage.from(bucket);
});

afterAll(async () => {
  await pool.end();
  await stopProduct();
  await rm(folder, { recursive: true, force: true });
});

function serviceOf(url: string): SupabaseClient {
  return createClient(url, running.serviceRoleKey, { auth: { persistSession: false } });
}

const command = (name: "backup" | "restore", args: readonly string[], dataDir: string): Spawned =>
  spawnScript([join(projectRoot, "tools", `${name}.ts`), ...args], { DATA_DIR: dataDir }, folder);

async function backUp(file: string): Promise<Date> {
  const backup = command("backup", [file], running.dataDir);
  expect(await backup.ended, backup.output()).toBe(0);
  const said = /acknowledged before (\S+) is in it/.exec(backup.output())?.[1] ?? "";
  return new Date(said);
}

/** Runs a command that has to refuse, and gives its one sentence. */
async function refusal(spawned: Spawned): Promise<string> {
  expect(await spawned.ended).toBe(bootError);
  expect(spawned.output()).not.toContain("    at ");
  return spawned.output().trim();
}

const exists = async (path: string) =>
  await access(path).then(
    () => true,
    () => false,
  );

/** Names and hashes of all files below a folder. */
async function contentOf(path: string): Promise<string[]> {
  const names = (await readdir(path, { recursive: true })).toSorted();
  return await Promise.all(
    names.map(async (name) => {
      const full = join(path, name);
      if (!(await stat(full)).isFile()) return name;
      const hash = createHash("sha256").update(await readFile(full));
      return `${name} ${hash.digest("hex")}`;
    }),
  );
}

async function bytesOf(from: Bucket, name: string): Promise<Buffer> {
  const { data, error } = await from.download(name);
  expect(error, name).toBeNull();
  return Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0));
}

describe("a backup made while members write", () => {
  it("holds, restored elsewhere and started, everything acknowledged before its end mark", async () => {
    const file = join(folder, "load.tar.gz");
    const writers = startWriters(pool, files);
    const begun = Date.now();
    const endMark = await backUp(file);
    const done = await writers.stop();
    // Something was written while the backup ran, or this would show nothing.
    const during = (one: { at: number }) => one.at > begun && one.at < endMark.getTime();
    for (const kind of Object.values(done)) expect(kind.filter(during).length).toBeGreaterThan(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const dataDir = join(folder, "elsewhere");
    const restore = command("restore", [file], dataDir);
    expect(await restore.ended, restore.output()).toBe(0);
    expect(restore.output()).toContain("every checksum right");
    expect(restore.output()).not.toContain("Missing");

    const backups = join(folder, "scheduled");
    const port = await freePort();
    const product = spawnScript(
      [join(projectRoot, "tools", "serve.ts")],
      {
        DATA_DIR: dataDir,
        PORT: `${port}`,
        DEMO: "0",
        SUPABASE_JWT_SECRET: running.jwtSecret,
        BACKUP_DIR: backups,
      },
      folder,
    );
    await product.says("Fourfold is ready");
    const before = (one: { at: number }) => one.at < endMark.getTime();

    const { databasePassword } = JSON.parse(
      await readFile(join(dataDir, "secrets.json"), "utf8"),
    ) as { databasePassword: string };
    const [, , , databasePort] = (
      await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")
    ).split("\n");
    const client = new pg.Client({
      connectionString: `postgresql://supabase_admin:${databasePassword}@127.0.0.1:${databasePort}/postgres`,
    });
    await client.connect();
    const { rows } = await client.query<{ writer: number; number: number }>(
      "select writer, number from private.backup_test_writes",
    );
    await client.end();
    const restored = new Set(rows.map(({ writer, number }) => `${writer}/${number}`));
    const lost = done.rows
      .filter(before)
      .filter((row) => !restored.has(`${row.writer}/${row.number}`));
    expect(lost).toEqual([]);

    const elsewhere = serviceOf(`http://127.0.0.1:${port}`);
    const theirs = elsewhere.storage.from(bucket);
    for (const upload of done.uploads.filter(before)) {
      expect(sha256(await bytesOf(theirs, upload.name))).toBe(upload.sha256);
    }
    for (const name of ["a", "b"]) {
      const acknowledged = done.replacements.filter((one) => one.name === name && before(one));
      const number = Number((await bytesOf(theirs, name)).toString().split(" ")[0]);
      expect(number).toBeGreaterThanOrEqual(acknowledged.at(-1)?.number ?? 1);
    }
    const signedIn = await createClient(`http://127.0.0.1:${port}`, running.anonKey, {
      auth: { persistSession: false },
    }).auth.signInWithPassword(member);
    expect(signedIn.error).toBeNull();

    // The restored product makes its own first backup by schedule.
    await product.says("backup made");
    const names = await readdir(backups);
    expect(names).toEqual([expect.stringMatching(/^backup-\d{8}T\d{6}Z\.tar\.gz$/)]);

    // While it runs its folder is neither replaced nor touched.
    expect(await refusal(command("restore", [file, "--replace"], dataDir))).toBe(
      `The product is running over ${dataDir}; stop it first.`,
    );
    product.child.kill("SIGTERM");
    expect(await product.ended).toBe(0);
  });

  it("keeps replaced and deleted bytes until it has copied them", async () => {
    const versionOf = async (name: string) => {
      const { rows } = await pool.query<{ version: string }>(
        "select version from storage.objects where bucket_id = $1 and name = $2",
        [bucket, name],
      );
      return rows[0]?.version ?? "";
    };
    await files.upload("short-lived", Buffer.from("one"));
    const version = await versionOf("short-lived");
    const path = join(running.dataDir, "storage", "objects", version.slice(0, 2), version);
    const backup = new pg.Client({ connectionString: running.databaseUrl });
    await backup.connect();
    // The lock that a backup holds.
    await backup.query("select pg_advisory_lock(4710335)");
    expect((await files.remove(["short-lived"])).error).toBeNull();
    expect(await exists(path)).toBe(true);
    await backup.end();
    await expect.poll(async () => await exists(path), { timeout: 20_000 }).toBe(false);
  });

  it("is one at a time", async () => {
    const other = new pg.Client({ connectionString: running.databaseUrl });
    await other.connect();
    await other.query("select pg_advisory_lock(4710334)");
    const file = join(folder, "second.tar.gz");
    expect(await refusal(command("backup", [file], running.dataDir))).toBe(
      "A backup is already running.",
    );
    await other.end();
    expect(await exists(file)).toBe(false);
  });

  it("refuses a link, whose files it would leave out", async () => {
    const link = join(running.dataDir, "storage", "elsewhere");
    const file = join(folder, "linked.tar.gz");
    await symlink(folder, link);
    try {
      const said = await refusal(command("backup", [file], running.dataDir));
      expect(said).toContain(`${link} is a link.`);
      expect(await exists(file)).toBe(false);
    } finally {
      await unlink(link);
    }
  });

  /** Starts a backup in a folder of its own, and resolves once it has begun to write. */
  async function begin(name: string) {
    const own = await mkdtemp(join(folder, `${name}-`));
    const file = join(own, `${name}.tar.gz`);
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(own, (_event, written) => {
        if (written?.endsWith(".partial") !== true) return;
        watcher.close();
        resolve();
      });
    });
    const backup = command("backup", [file], running.dataDir);
    await begun;
    return { own, file, backup };
  }

  it("leaves nothing when it is interrupted, however often", async () => {
    const { own, backup } = await begin("interrupted");
    const interrupts = setInterval(() => backup.child.kill("SIGINT"), 1);
    await backup.says("there is none.").finally(() => clearInterval(interrupts));
    expect(await refusal(backup)).toBe("The backup was stopped; there is none.");
    expect(await readdir(own)).toEqual([]);
  });

  it("leaves nothing under its name when it is killed, and the next one succeeds", async () => {
    const { own, file, backup } = await begin("killed");
    backup.child.kill("SIGKILL");
    expect(await backup.ended).toBe("SIGKILL");
    expect(await readdir(own)).toEqual(["killed.tar.gz.partial"]);
    await backUp(file);
    expect(await readdir(own)).toEqual(["killed.tar.gz"]);
    expect(await refusal(command("backup", [file], running.dataDir))).toBe(
      `${file} exists already; choose another name.`,
    );
  });
});

describe("a restore that is refused changes nothing", () => {
  let whole = "";
  let target = "";
  beforeAll(async () => {
    whole = join(folder, "whole.tar.gz");
    await backUp(whole);
    target = join(folder, "target");
    const restore = command("restore", [whole], target);
    expect(await restore.ended, restore.output()).toBe(0);
  });

  it.each([
    ["truncated", /is incomplete or damaged/],
    ["changed", /is incomplete or damaged/],
    ["foreign", /is not a backup of this software/],
    ["whole", /target is not empty\. Restore into another DATA_DIR, or add --replace/],
  ])("%s", async (kind, sentence) => {
    const file = join(folder, `${kind}.tar.gz`);
    if (kind !== "whole") await copyFile(whole, file);
    if (kind === "truncated") await truncate(file, (await stat(file)).size - 20);
    if (kind === "changed") {
      const bytes = await readFile(file);
      // More than the few bits between two blocks that say nothing.
      const middle = bytes.length >> 1;
      bytes.set(
        bytes.subarray(middle, middle + 16).map((byte) => byte ^ 0xff),
        middle,
      );
      await rm(file);
      await writeFile(file, bytes);
    }
    if (kind === "foreign") await copyFile(join(projectRoot, "package.json"), file);
    const before = await contentOf(target);
    const args = kind === "whole" ? [file] : [file, "--replace"];
    expect(await refusal(command("restore", args, target))).toMatch(sentence);
    expect(await contentOf(target)).toEqual(before);
    const empty = join(folder, `empty-${kind}`);
    if (kind !== "whole") await refusal(command("restore", [file], empty));
    expect(await exists(empty)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.includes(".restoring"))).toEqual([]);
  });

  it("replaces on request, and keeps the former folder beside the new one", async () => {
    const before = await contentOf(target);
    const restore = command("restore", [whole, "--replace"], target);
    expect(await restore.ended, restore.output()).toBe(0);
    const kept = /former folder is (\S+);/.exec(restore.output())?.[1] ?? "";
    expect(await contentOf(kept)).toEqual(before);
    expect(await exists(join(target, "postgres", "PG_VERSION"))).toBe(true);
  });
});

describe("both commands", () => {
  it("leave a database of one's own to its own tools", async () => {
    for (const name of ["backup", "restore"] as const) {
      const spawned = spawnScript(
        [join(projectRoot, "tools", `${name}.ts`), "x.tar.gz"],
        { DATABASE_URL: "postgresql://u:p@127.0.0.1:1/x", DATA_DIR: join(folder, "none") },
        folder,
      );
      expect(await refusal(spawned)).toContain("DATABASE_URL is set: ");
    }
    expect(await refusal(command("backup", ["x.tar.gz"], join(folder, "none")))).toContain(
      "There is no install in",
    );
    expect(await refusal(command("backup", [], running.dataDir))).toContain("Usage: ");
    expect(await refusal(command("restore", ["--all"], running.dataDir))).toContain("Usage: ");
  });
});
