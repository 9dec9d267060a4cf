import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Host, startHost } from "basehost";
import { projectRoot } from "../support/spawn-product.ts";

const projectFolder = join(projectRoot, "tests", "fixtures", "other-project");

let folder = "";
let root = "";
let dataDir = "";

async function start(): Promise<Host> {
  const log = pino({ level: "silent" });
  return await startHost({ root, env: { PORT: "0", DATA_DIR: dataDir }, log, runSchedules: false });
}

async function asOwner<T extends pg.QueryResultRow>(host: Host, sql: string): Promise<T[]> {
  return (await host.context.db.admin.query<T>(sql)).rows;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fourfold-history-"));
  root = join(folder, "project");
  dataDir = join(folder, "data");
  await cp(projectFolder, root, { recursive: true });
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("a data folder and the version that serves it", () => {
  it("keeps checksums of its pages, and its failed statements out of its log", async () => {
    const host = await start();
    await expect(host.context.db.admin.query("select 1 / 0 as secret_text")).rejects.toThrow();
    const rows = await asOwner<{ on: string }>(
      host,
      "select current_setting('data_checksums') as on",
    );
    expect(rows).toEqual([{ on: "on" }]);
    await host.stop();
    const logFolder = join(dataDir, "postgres", "log");
    const files = await readdir(logFolder);
    expect(files).toEqual([expect.stringMatching(/^postgresql-\w{3}\.log$/)]);
    const log = await readFile(join(logFolder, files[0] ?? ""), "utf8");
    expect(log).toContain("database system is ready");
    expect(log).not.toMatch(/secret_text|division by zero/);
  });

  it("starts with a later version, and has what that adds", async () => {
    const added = join(root, "supabase", "migrations", "20990101000000_added.sql");
    await writeFile(added, "create table public.added_later (id int primary key);\n");
    const host = await start();
    const rows = await asOwner(host, "select to_regclass('public.added_later')::text as name");
    expect(rows).toEqual([{ name: "added_later" }]);
    await host.stop();

    // Going back is refused: the older version does not know what is there.
    await rm(added);
    await expect(start()).rejects.toThrow(
      /20990101000000_added\.sql is not part of this one.*npm run db:reset/s,
    );
    await writeFile(added, "create table public.added_later (id int primary key);\n");
  });

  it("is refused when a file it was made of has changed since", async () => {
    const added = join(root, "supabase", "migrations", "20990101000000_added.sql");
    await writeFile(added, "create table public.added_later (id bigint primary key);\n");
    await expect(start()).rejects.toThrow(/20990101000000_added\.sql has changed/);
    await writeFile(added, "create table public.added_later (id int primary key);\n");
    await (await start()).stop();
  });

  it("knows letters of every alphabet, and is refused when it does not, as before 0.3", async () => {
    const host = await start();
    expect(
      await asOwner(
        host,
        `select 'Ünïcode' ilike 'ünï%' as "like", lower('ÉCOLE Ґ Ω') as lower, initcap('élan') as initcap,
           to_tsvector('simple', 'ÉCOLE') @@ to_tsquery('simple', 'école') as found,
           (select string_agg(w, ' ' order by w) from unnest('{apple,Zebra,Ångström}'::text[]) w) as sorted`,
      ),
    ).toEqual([
      {
        like: true,
        lower: "école ґ ω",
        initcap: "Élan",
        found: true,
        sorted: "Zebra apple Ångström",
      },
    ]);
    const locale = "update pg_database set datlocprovider = $1, datlocale = $2";
    await host.context.db.admin.query(locale, ["c", null]);
    await host.stop();
    await expect(start()).rejects.toThrow(
      /^The data folder .* \(its database knows no letters beyond A to Z\) .*Go back to the version that made it, or start with a new database/,
    );
    await rm(dataDir, { recursive: true });
    await (await start()).stop();
  });

  it("is refused when it keeps no record of its schema, as before the first release", async () => {
    const host = await start();
    await asOwner(host, "drop table host.schema_sources");
    await host.stop();
    await expect(start()).rejects.toThrow(/keeps no record of its schema.*npm run db:reset/s);
  });
});
