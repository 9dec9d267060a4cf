import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pino } from "pino";
import { slotLogLimitMb, startEmbeddedPostgres } from "../postgres/embedded.ts";
import { loadSecrets } from "../secrets.ts";
import type { ArchiveHeader } from "./archive-format.ts";
import { startBackups } from "./backup-schedule.ts";
import { addDatabase, createBackup } from "./create-backup.ts";
import { readArchive } from "./read-archive.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeArchive, type ArchiveWriter } from "./write-archive.ts";

const whole = "11111111-1111-4111-8111-111111111111";
const cut = "22222222-2222-4222-8222-222222222222";
const absent = "33333333-3333-4333-8333-333333333333";

let folder = "";
let dataDir = "";
let url = "";
let client: pg.Client;
let stopServer = async () => await Promise.resolve();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "restore-"));
  dataDir = join(folder, "data");
  await mkdir(dataDir, { mode: 0o711 });
  const { databasePassword } = await loadSecrets(dataDir);
  const server = await startEmbeddedPostgres(join(dataDir, "postgres"), databasePassword);
  ({ url, stop: stopServer } = server);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create schema host; create table host.schema_sources (name text, sha256 text);
    create schema storage;
    create table storage.objects (bucket_id text, name text, version text, metadata jsonb);
    insert into storage.objects values
      ('b', 'whole', '${whole}', '{"size": 5}'), ('b', 'cut', '${cut}', '{"size": 5}'),
      ('b', 'absent', '${absent}', '{"size": 5}'), ('b', 'folder', null, null)`);
  for (const [version, text] of [
    [whole, "12345"],
    [cut, "123"],
  ] as const) {
    const path = join(dataDir, "storage", "objects", version.slice(0, 2));
    await mkdir(path, { recursive: true });
    await writeFile(join(path, version), text);
  }
});

afterAll(async () => {
  await client.end();
  await stopServer();
  await rm(folder, { recursive: true, force: true });
});

const restoreTo = async (file: string, target: string) =>
  await restoreBackup({
    file,
    dataDir: target,
    migrationsFolder: folder,
    replace: false,
    otherNames: [],
  });

/** Repeats an archive and puts other contents under the given names, as an attacker could. */
async function crafted(
  file: string,
  contents: Readonly<Record<string, string>>,
  headerFields: Partial<ArchiveHeader> = {},
): Promise<string> {
  const made = `${file}.crafted`;
  let header: ArchiveHeader | undefined;
  await readArchive(file, { onHeader: (read) => void (header = read) });
  if (header === undefined) throw new Error("no header");
  await writeArchive(made, { ...header, ...headerFields }, async (writer) => {
    const manifest = await readArchive(file, {
      onHeader: () => undefined,
      onFolder: writer.addFolder,
      onFile: async (path, mode, content) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of content) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        if (path in contents) return;
        await writer.addFile({ path, mode, size: bytes.length, content: [bytes] });
      },
    });
    for (const [path, text] of Object.entries(contents)) {
      await writer.addFile({ path, mode: 0o755, size: text.length, content: [Buffer.from(text)] });
    }
    return new Date(manifest.endMark);
  });
  return made;
}

const slots = async (): Promise<string> => {
  const { rows } = await client.query<{ count: string }>(
    "select count(*) from pg_replication_slots where slot_name like 'host_backup_%'",
  );
  return rows[0]?.count ?? "";
};

describe("a restore", () => {
  it.each([
    ["20260101000000_of_another_history.sql", "is not part of this one"],
    ["20260102000000_known.sql", "has changed"],
  ])("refuses what was made of %s, and puts nothing in place", async (sql, why) => {
    await writeFile(join(folder, "20260102000000_known.sql"), "select 1;");
    const file = join(folder, `${sql}.tar.gz`);
    await createBackup({ file, dataDir, url });
    const name = `migrations/${sql}`;
    const archive = await crafted(file, {}, { schema: [{ name, sha256: "0".repeat(64) }] });
    const target = join(folder, "refused");
    await expect(restoreTo(archive, target)).rejects.toThrow(
      `${archive} was made by another version of this software (${name} ${why}).`,
    );
    await expect(access(target)).rejects.toThrow("ENOENT");
    await rm(join(folder, "20260102000000_known.sql"));
  });

  it("obeys no configuration of the archive, and names files that are missing or cut", async () => {
    const file = join(folder, "plain.tar.gz");
    await createBackup({ file, dataDir, url });
    const marker = join(folder, "marker");
    const evil = `archive_mode = on\nrestore_command = 'touch ${marker}; false'\nshared_preload_libraries = 'evil'\n`;
    const archive = await crafted(file, {
      "postgres/postgresql.auto.conf": evil,
      "postgres/postgresql.conf": evil,
      "postgres/pg_hba.conf": "host all all 0.0.0.0/0 trust\n",
      "postgres/recovery.signal": "",
      ".env": "NODE_OPTIONS=--require=/evil.js\n",
    });
    const target = join(folder, "restored");
    const done = await restoreTo(archive, target);
    expect(done.missing).toEqual(["b/absent", "b/cut (3 of 5 bytes)"]);
    expect(done.bucket).toBeUndefined();
    expect(done.leftOut).toEqual(["postgres/recovery.signal", ".env"]);
    await expect(access(marker)).rejects.toThrow("ENOENT");
    await expect(access(join(target, ".env"))).rejects.toThrow("ENOENT");
    for (const name of ["postgresql.conf", "postgresql.auto.conf", "pg_hba.conf"]) {
      expect(await readFile(join(target, "postgres", name), "utf8")).not.toMatch(/evil|trust/);
    }
  });
});

describe("a restore of an install whose files are in a bucket", () => {
  it("names the bucket, and misses nothing in the archive", async () => {
    await client.query(
      "create table host.file_store (bucket text); insert into host.file_store values ('members')",
    );
    const file = join(folder, "of-bucket.tar.gz");
    await createBackup({ file, dataDir, url });
    const done = await restoreTo(file, join(folder, "of-bucket"));
    expect([done.bucket, done.missing]).toEqual(["members", []]);
    await client.query("drop table host.file_store");
  });
});

describe("a base backup", () => {
  it("ends its slot when the disk of the archive is full", async () => {
    const full: ArchiveWriter = {
      addFolder: async () => await Promise.resolve(),
      addFile: async ({ content }) => {
        for await (const chunk of content) void chunk;
        expect(await slots()).toBe("1");
        throw new Error("ENOSPC: no space left on device");
      },
    };
    const backup = addDatabase(full, url, new AbortController().signal);
    await expect(backup).rejects.toThrow("ENOSPC");
    await expect.poll(slots).toBe("0");
  });

  it("succeeds although more than 1 GB of log is written meanwhile", async () => {
    let wroteLog = false;
    const segments = new Set<string>();
    const writer: ArchiveWriter = {
      addFolder: async () => await Promise.resolve(),
      addFile: async ({ path, content }) => {
        if (!wroteLog) {
          wroteLog = true;
          // Each switch begins a new segment of 16 MB.
          for (let segment = 0; segment < 70; segment += 1) {
            await client.query(
              "select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()",
            );
          }
          await client.query("checkpoint");
        }
        if (path.startsWith("postgres/pg_wal/")) segments.add(path);
        for await (const chunk of content) void chunk;
      },
    };
    await addDatabase(writer, url, new AbortController().signal);
    expect(segments.size).toBeGreaterThan(70);
  });

  it("may keep half of the free disk as log, between 1 and 64 GB", () => {
    const gibibyte = 1024 ** 3;
    expect(slotLogLimitMb(gibibyte)).toBe(1024);
    expect(slotLogLimitMb(20 * gibibyte)).toBe(10 * 1024);
    expect(slotLogLimitMb(1000 * gibibyte)).toBe(64 * 1024);
  });
});

describe("a scheduled backup", () => {
  it("is preceded by the removal of unfinished ones, and its failures are counted", async () => {
    const backups = join(folder, "scheduled");
    await mkdir(backups);
    const partial = join(backups, "backup-20261101T000000Z.tar.gz.partial");
    await writeFile(partial, "");
    const lines: { msg: string; failures?: number }[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as never) });
    // A missing data folder makes every backup fail.
    const source = { dataDir: join(folder, "none"), url };
    const schedule = startBackups({ folder: backups, everyHours: 1, keep: 1 }, source, log);
    try {
      await vi.waitUntil(() => lines.length > 0, { timeout: 60_000 });
      expect(lines[0]).toMatchObject({ msg: "backup failed", failures: 1 });
      expect(schedule.failures()).toBe(1);
      await expect(access(partial)).rejects.toThrow("ENOENT");
    } finally {
      await schedule.stop();
    }
  });
});
