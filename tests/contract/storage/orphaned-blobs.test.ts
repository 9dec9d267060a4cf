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
import { ownerPool, serviceRole } from "../../support/clients.ts";
import { createStorageAccount } from "./accounts.ts";
import { filesWith } from "./stored-files.ts";

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
  await sweepOrphanedBlobs(services);
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
  await sweepOrphanedBlobs(services);
  expect(existsSync(stored(part))).toBe(true);
  await admin.query("delete from host.resumable_uploads where id = $1", [id]);
  await sweepOrphanedBlobs(services);
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
    await sweepOrphanedBlobs(services);
    expect(existsSync(stored(unused))).toBe(false);
    // The sweep gave the lock back.
    const { rows } = await other.query("select pg_try_advisory_lock(4710339) as free");
    expect(rows).toEqual([{ free: true }]);
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

test("one of several concurrent uploads of one name wins", async () => {
  const ada = await createStorageAccount();
  const bucket = ada.client.storage.from("documents");
  const results = await Promise.all(
    Array.from({ length: 6 }, async (_, index) =>
      bucket.upload(`${ada.id}/first.txt`, String(index), { contentType: "text/plain" }),
    ),
  );
  expect(results.filter((result) => result.error === null)).toHaveLength(1);
});

test("concurrent replacements of one name leave one complete file", async () => {
  const ada = await createStorageAccount();
  const bucket = ada.client.storage.from("documents");
  const options = { contentType: "text/plain", upsert: true };
  for (let round = 0; round < 4; round += 1) {
    const mark = randomUUID();
    const contents = Array.from({ length: 6 }, (_, index) => mark + String(index).repeat(9000));
    const name = `${ada.id}/raced-${round}.txt`;
    const all = await Promise.all(contents.map(async (text) => bucket.upload(name, text, options)));
    expect(all.map((result) => result.error)).toEqual(contents.map(() => null));
    expect(contents).toContain(await (await bucket.download(name)).data?.text());
    expect(await filesWith(mark)).toBe(1);
  }
});

test("rows can be deleted through the API only, so that their bytes are removed too", async () => {
  await expect(admin.query("delete from storage.objects where false")).rejects.toThrow(
    "Direct deletion from storage tables is not allowed",
  );
  const { data } = await serviceRole().storage.from("drop-box").remove(["nothing"]);
  expect(data).toEqual([]);
});
