import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { HostContext } from "basehost";
import {
  DecodeQueue,
  openDiskBlobStore,
  removeOrphanedBlobs,
  StagingArea,
  type StorageServices,
  sweepOrphanedBlobs,
} from "basehost/testing";
import { ownerPool } from "../../support/clients.ts";

const admin = ownerPool();
let folder: string;
let services: StorageServices;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "orphaned-blobs-"));
  services = {
    context: {
      db: { lookups: admin, background: admin },
      now: Date.now,
      log: pino({ level: "silent" }),
    } as unknown as HostContext,
    blobs: openDiskBlobStore(join(folder, "objects")),
    staging: new StagingArea(join(folder, "incoming")),
    decodeQueue: new DecodeQueue(),
    fileSizeLimit: 1000,
  };
});

afterAll(async () => {
  await admin.end();
  await rm(folder, { recursive: true, force: true });
});

const stored = (version: string) => join(folder, "objects", version.slice(0, 2), version);

async function put(version: string, isOld: boolean): Promise<void> {
  const path = await services.staging.newPath();
  await writeFile(path, "bytes");
  await services.blobs.put(version, path);
  const anHourAgo = new Date(Date.now() - 2 * 3600 * 1000);
  if (isOld) await utimes(stored(version), anHourAgo, anHourAgo);
}

/** Sweeps. The shared host does so too at its start, and beside it another sweep removes nothing: a probe shows that it did. */
async function sweep(): Promise<void> {
  const probe = randomUUID();
  await put(probe, true);
  const isSwept = async () => {
    await sweepOrphanedBlobs(services);
    return !existsSync(stored(probe));
  };
  await expect.poll(isSwept).toBe(true);
}

test("the sweep removes old bytes without a row, and nothing else", async () => {
  const [unused, young, used, staged] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await put(unused, true);
  await put(young, false);
  await put(used, true);
  await admin.query(
    "insert into storage.objects (bucket_id, name, version) values ('drop-box', $1, $1)",
    [used],
  );
  await mkdir(join(folder, "incoming"), { recursive: true });
  await writeFile(join(folder, "incoming", staged), "half an upload");
  await utimes(join(folder, "incoming", staged), new Date(0), new Date(0));
  await sweep();
  expect(existsSync(stored(unused))).toBe(false);
  expect(existsSync(stored(young))).toBe(true);
  expect(existsSync(stored(used))).toBe(true);
  expect(existsSync(join(folder, "incoming", staged))).toBe(false);
});

test("the sweep spares the parts of an unfinished upload", async () => {
  const [id, part] = [randomUUID(), randomUUID()];
  await put(part, true);
  await admin.query(
    `insert into host.resumable_uploads (id, owner, bucket_id, name, size, received, parts, metadata, upsert, operation, created_at)
     values ($1::uuid, $1::text, 'drop-box', $1::text, 10, 5, array[$2::uuid], '', false, '', now())`,
    [id, part],
  );
  await sweep();
  expect(existsSync(stored(part))).toBe(true);
  await admin.query("delete from host.resumable_uploads where id = $1", [id]);
  await sweep();
  expect(existsSync(stored(part))).toBe(false);
});

test("one host at a time sweeps: nothing is removed while another holds the lock", async () => {
  const unused = randomUUID();
  await put(unused, true);
  const other = await admin.connect();
  try {
    await other.query("select pg_advisory_lock(4710339)");
    await sweepOrphanedBlobs(services);
    expect(existsSync(stored(unused))).toBe(true);
    await other.query("select pg_advisory_unlock(4710339)");
    await sweep();
    expect(existsSync(stored(unused))).toBe(false);
    // The sweep gave the lock back. The shared host's own may have it for a moment.
    const isFree = async () => {
      const text = "select pg_try_advisory_lock(4710339) as free";
      return (await other.query<{ free: boolean }>(text)).rows[0]?.free;
    };
    await expect.poll(isFree).toBe(true);
  } finally {
    // The lock ends with its connection.
    other.release(true);
  }
});

test("bytes with a row survive a failure after the row was written", async () => {
  const version = randomUUID();
  await put(version, false);
  await admin.query(
    "insert into storage.objects (bucket_id, name, version) values ('drop-box', $1, $1)",
    [version],
  );
  await removeOrphanedBlobs(services, [version]);
  expect(existsSync(stored(version))).toBe(true);
});

test("a store refuses versions that are not UUIDs", async () => {
  expect(await services.blobs.open("../incoming/x")).toBeUndefined();
  await expect(services.blobs.put("../x", "y")).rejects.toThrow("not a version");
});
