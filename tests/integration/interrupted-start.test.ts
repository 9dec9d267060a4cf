import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHost, type Host } from "basehost";
import { findBinaries, findEmbeddedPostgres, loadSecrets } from "basehost/database";
import { startCleanCluster, type CleanCluster } from "../support/clean-cluster.ts";
import { projectRoot, spawnCommand, type Spawned } from "../support/spawn-product.ts";
import { startS3Server, type S3Server } from "../support/s3-server.ts";

const fixture = join(projectRoot, "tests", "fixtures", "other-project");
const patience = { timeout: 60_000, interval: 5 };
/** The advisory lock under which a host looks at the schema and changes it (`schema-history.ts`). */
const schemaLockKey = 4_710_331;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "interrupted-start-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the fixture project with one more migration, and a data folder that does not exist yet. */
async function project(name: string, migration?: string) {
  const root = join(folder, name);
  await cp(fixture, root, { recursive: true });
  const added = join(root, "supabase", "migrations", "20260101000150_added.sql");
  if (migration !== undefined) await writeFile(added, migration);
  return { root, dataDir: join(root, "data"), added };
}

type Place = Awaited<ReturnType<typeof project>>;

async function start(
  { root, dataDir }: Place,
  env: Record<string, string> = {},
  log = pino({ level: "silent" }),
): Promise<Host> {
  const all = { PORT: "0", DATA_DIR: dataDir, ...env };
  return await startHost({ root, env: all, log, runSchedules: false });
}

/**
 * Starts hosts over one database, lets the first of them at the schema only when all of them wait for it, and stops them
 * also when one did not start.
 */
async function startTogether(
  databaseUrl: string,
  places: readonly Place[],
  startOne: (place: Place) => Promise<Host>,
  look: (hosts: readonly Host[]) => Promise<void>,
): Promise<void> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query("select pg_advisory_lock($1)", [schemaLockKey]);
  const starting = places.map(startOne);
  const settled = Promise.allSettled(starting);
  const waiting = async () => {
    const { rowCount } = await holder.query(
      `select from pg_locks
        where locktype = 'advisory' and objid = $1 and not granted
          and database = (select oid from pg_database where datname = current_database())`,
      [schemaLockKey],
    );
    return rowCount;
  };
  try {
    try {
      await expect.poll(waiting, patience).toBe(places.length);
    } finally {
      // The lock ends with its connection.
      await holder.end();
    }
    await look(await Promise.all(starting));
  } finally {
    for (const result of await settled)
      if (result.status === "fulfilled") await result.value.stop();
  }
}

/** A host in a process of its own, to be killed. */
function spawnHost({ root, dataDir }: Place): Spawned {
  const script = `import { startHost } from "basehost";
    await startHost({ root: ${JSON.stringify(root)}, env: process.env });`;
  const env = { PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent" };
  return spawnCommand(process.execPath, ["--input-type=module", "-e", script], env);
}

/** Kills the host, and what it has started in its process group, such as initdb. */
async function kill(spawned: Spawned): Promise<void> {
  process.kill(-(spawned.child.pid ?? 0), "SIGKILL");
  expect(await spawned.ended).toBe("SIGKILL");
}

async function expectPrepared(host: Host): Promise<void> {
  const answer = await fetch(`${host.url}/readyz`);
  expect([answer.status, await answer.json()]).toEqual([200, { status: "ready" }]);
  const { rows } = await host.context.db.admin.query<{ twice: number; missing: number }>(
    `select (select count(*)::int from host.applied_files f
              where not exists (select from host.schema_sources s where s.name = 'host/' || f.name)) as missing,
            (select count(*)::int - count(distinct version)::int from supabase_migrations.schema_migrations) as twice`,
  );
  expect(rows).toEqual([{ twice: 0, missing: 0 }]);
}

async function expectWhole(host: Host): Promise<void> {
  await expectPrepared(host);
  await host.stop();
}

async function named(place: Place, pattern: RegExp): Promise<string | undefined> {
  const names = await readdir(place.dataDir, { recursive: true }).catch((): string[] => []);
  return names.find((name) => pattern.test(name));
}

describe("a first start that was killed can be started again", () => {
  it("while initdb makes the data folder", async () => {
    const place = await project("initdb");
    const killed = spawnHost(place);
    // The first file that initdb writes.
    await expect
      .poll(async () => await named(place, /^postgres[^/]*\/PG_VERSION$/), patience)
      .toBeDefined();
    await kill(killed);
    await expectWhole(await start(place));
  });

  it("while a migration runs, over the database it left running", async () => {
    const slow = "create table public.half (id int primary key);\nselect pg_sleep(3600);\n";
    const place = await project("migration", slow);
    const killed = spawnHost(place);
    const sleeping = async () => {
      const { databasePassword } = await loadSecrets(place.dataDir);
      const running = await findEmbeddedPostgres(join(place.dataDir, "postgres"), databasePassword);
      const pool = new pg.Pool({ connectionString: running?.url ?? "", max: 1 });
      pool.on("error", () => undefined);
      try {
        const { rowCount } = await pool.query(
          "select from pg_stat_activity where state = 'active' and query ~ '^create table public.half'",
        );
        return rowCount;
      } finally {
        await pool.end();
      }
    };
    await expect.poll(async () => await sleeping().catch(() => 0), patience).toBe(1);
    await kill(killed);
    await writeFile(place.added, "create table public.whole (id int primary key);\n");
    const host = await start(place);
    const { rows } = await host.context.db.admin.query(
      "select to_regclass('public.half') as half, to_regclass('public.whole')::text as whole",
    );
    expect(rows).toEqual([{ half: null, whole: "whole" }]);
    await expectWhole(host);
  });

  it("after a file that could not be applied, as with a full disk", async () => {
    const full =
      "do $$ begin raise exception using errcode = '53100', message = 'disk full'; end $$;";
    const place = await project("disk", full);
    const lines: { migration: string; ms: number; msg: string }[] = [];
    const write = (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]);
    const log = pino({ level: "info" }, { write });
    const applied = () =>
      lines.splice(0).flatMap(({ msg, migration, ms }) => {
        if (msg !== "migration applied") return [];
        expect(ms).toBeGreaterThanOrEqual(0);
        return [migration];
      });
    await expect(start(place, {}, log)).rejects.toThrow(/disk full/);
    expect(applied()).toEqual(["20260101000100_library"]);
    await expect(start(place, {}, log)).rejects.toThrow(/disk full/);
    expect(applied()).toEqual([]);
    await writeFile(place.added, "select 1;\n");
    await expectWhole(await start(place, {}, log));
    expect(applied()[0]).toBe("20260101000150_added");
  });
});

describe("a database of DATABASE_URL", () => {
  let cluster: CleanCluster;
  let bucket: S3Server;
  beforeAll(async () => {
    bucket = await startS3Server("upgraded");
    cluster = await startCleanCluster(await findBinaries());
    await cluster.run(["alter system set wal_level = 'logical'"]);
    await cluster.restart();
  });
  afterAll(async () => {
    await cluster.stop();
    await bucket.remove();
  });

  const env = () => ({
    ...bucket.env,
    DATABASE_URL: cluster.url(),
    SUPABASE_JWT_SECRET: "a-secret-that-two-hosts-of-a-test-share",
  });

  it("is prepared once, with its bucket, by three hosts that start at the same time over an empty one", async () => {
    const places = await Promise.all(["one", "two", "three"].map(async (name) => project(name)));
    const startOne = async (place: Place) => await start(place, env());
    await startTogether(cluster.url(), places, startOne, async (hosts) => {
      for (const host of hosts) await expectPrepared(host);
    });
  });

  it("is not told to delete a data folder when another version made it", async () => {
    const place = await project("newer", "select 1;\n");
    await (await start(place, env())).stop();
    await rm(place.added);
    const refusal = await start(place, env()).then(
      () => "",
      (error: Error) => error.message,
    );
    expect(refusal).toContain("The database of DATABASE_URL was made by another version");
    expect(refusal).toContain("make another, empty database on that server");
    expect(refusal).not.toMatch(/db:reset|data folder/);
    expect(await readFile(join(place.dataDir, "secrets.json"), "utf8")).not.toBe("");
  });

  it("is upgraded once, when it is full, by three hosts of a new version that start at the same time", async () => {
    await cluster.run(["create database upgraded"]);
    const own = { ...env(), DATABASE_URL: cluster.url("upgraded"), S3_BUCKET: "upgraded" };
    const before = await start(await project("before"), own);
    await before.context.db.admin.query(
      "insert into public.authors (name) select 'author ' || n from generate_series(1, 1000) n",
    );
    await before.stop();
    // A second time it would fail.
    const migration = "alter table public.authors add column motto text;\n";
    const names = ["first", "second", "third"];
    const places = await Promise.all(names.map(async (name) => project(name, migration)));
    const applied: string[] = [];
    const write = (line: string) => {
      const { msg, migration: name } = JSON.parse(line) as { msg: string; migration?: string };
      if (msg === "migration applied") applied.push(name ?? "");
    };
    const log = pino({ level: "info" }, { write });
    const startOne = async (place: Place) => await start(place, own, log);
    await startTogether(own.DATABASE_URL, places, startOne, async (hosts) => {
      expect(applied).toEqual(["20260101000150_added"]);
      for (const host of hosts) {
        const answer = await fetch(
          `${host.url}/rest/v1/authors?name=eq.author%201000&select=name,motto`,
          {
            headers: { apikey: host.context.keys.api.serviceRoleKey },
          },
        );
        expect([answer.status, await answer.json()]).toEqual([
          200,
          [{ name: "author 1000", motto: null }],
        ]);
      }
      for (const host of hosts) await expectPrepared(host);
    });
  });
});
