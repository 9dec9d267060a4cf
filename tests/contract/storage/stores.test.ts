import { createHash, randomBytes, randomUUID } from "node:crypto";
import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readHostConfig } from "basehost";
import { copyFiles, openBlobStore, StagingArea, type BlobStore } from "basehost/testing";
import { startS3Server, type S3Server } from "../../support/s3-server.ts";

let folder = "";
let server: S3Server;
const stores = new Map<string, BlobStore>();
const storeOf = (kind: string): BlobStore => {
  const store = stores.get(kind);
  if (store === undefined) throw new Error(kind);
  return store;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "blobs-"));
  server = await startS3Server();
  const env = { DATA_DIR: join(folder, "data") };
  for (const [kind, variables] of [
    ["disk", {}],
    ["bucket", server.env],
  ] as const) {
    const config = readHostConfig({ ...env, ...variables });
    const { blobs } = await openBlobStore(config, pino({ level: "silent" }));
    stores.set(kind, blobs);
  }
});

afterAll(async () => {
  for (const store of stores.values()) store.close();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

async function staged(content: Uint8Array): Promise<string> {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  return path;
}

async function put(store: BlobStore, content: Uint8Array): Promise<string> {
  const version = randomUUID();
  await store.put(version, await staged(content));
  return version;
}

async function read(
  store: BlobStore,
  version: string,
  range?: { start: number; end: number },
): Promise<Buffer | undefined> {
  const stream = await store.open(version, range);
  if (stream === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function listed(store: BlobStore, before: number): Promise<string[]> {
  const found: string[] = [];
  for await (const versions of store.list(before)) found.push(...versions);
  return found.toSorted();
}

describe.each(["disk", "bucket"])("a store on a %s", (kind) => {
  it.each([0, 5, 20 * 1024 ** 2])(
    "takes a staged file of %d bytes away and keeps it",
    async (size) => {
      const content = randomBytes(size);
      const path = await staged(content);
      const version = randomUUID();
      await storeOf(kind).put(version, path);
      await expect(access(path)).rejects.toThrow("ENOENT");
      expect((await read(storeOf(kind), version))?.equals(content)).toBe(true);
    },
  );

  it("gives a part of the bytes, with both ends", async () => {
    const version = await put(storeOf(kind), Buffer.from("0123456789"));
    const part = await read(storeOf(kind), version, { start: 2, end: 4 });
    expect(part?.toString()).toBe("234");
  });

  it("has nothing under a version that was never put, and none that is no version", async () => {
    expect(await storeOf(kind).open(randomUUID())).toBeUndefined();
    expect(await storeOf(kind).open("../store-id")).toBeUndefined();
    await expect(storeOf(kind).put("../evil", await staged(Buffer.from("x")))).rejects.toThrow();
  });

  it("copies, so that each stays without the other", async () => {
    const from = await put(storeOf(kind), Buffer.from("copied"));
    const to = randomUUID();
    await storeOf(kind).copy(from, to);
    await storeOf(kind).remove([from]);
    expect((await read(storeOf(kind), to))?.toString()).toBe("copied");
    expect(await read(storeOf(kind), from)).toBeUndefined();
  });

  it("removes what is there and ignores what is not", async () => {
    const version = await put(storeOf(kind), Buffer.from("x"));
    await storeOf(kind).remove([randomUUID(), version, "no version"]);
    expect(await read(storeOf(kind), version)).toBeUndefined();
    await storeOf(kind).remove([]);
  });

  it("lists what was put before a time, and nothing younger", async () => {
    const version = await put(storeOf(kind), Buffer.from("old"));
    expect(await listed(storeOf(kind), Date.now() + 60_000)).toContain(version);
    expect(await listed(storeOf(kind), Date.now() - 60_000)).toEqual([]);
  });

  it("keeps the id of its database, which is no version", async () => {
    expect(await storeOf(kind).readMarker()).toBeUndefined();
    const id = randomUUID();
    await storeOf(kind).writeMarker(id);
    expect(await storeOf(kind).readMarker()).toBe(id);
    expect(await listed(storeOf(kind), Date.now() + 60_000)).not.toContain(id);
  });
});

describe("files that are copied to a bucket", () => {
  const rowsOf = (files: readonly { name: string; version: string; content: string }[]) =>
    files.map(({ name, version, content }) => ({
      name,
      version,
      md5: `"${createHash("md5").update(content).digest("hex")}"`,
    }));

  it("are compared, go on where a run was ended, and name what is missing or damaged", async () => {
    const [from, to] = [storeOf("disk"), storeOf("bucket")];
    const contents = ["one", "two", "damaged", "gone"];
    const files = await Promise.all(
      contents.map(async (content) => ({
        name: `files/${content}`,
        version: await put(from, Buffer.from(content === "damaged" ? "other" : content)),
        content,
      })),
    );
    const [one, two, damaged, gone] = files.map(({ version }) => version);
    await from.remove([gone ?? ""]);
    await to.put(one ?? "", await staged(Buffer.from("one")));
    const rows = [
      ...rowsOf(files),
      // Of hosted Supabase, which has other entity tags for large files.
      { name: "files/theirs", version: await put(from, Buffer.from("x")), md5: '"00ff-2"' },
    ];
    const client = { query: async () => await Promise.resolve({ rows }) } as unknown as pg.Client;
    const staging = new StagingArea(join(folder, "staging"));
    const progress: number[] = [];
    const copy = async () =>
      await copyFiles(client, { from, to, staging }, (done) => progress.push(done));
    expect(await copy()).toEqual({
      copied: 2,
      present: 1,
      broken: ["files/damaged", "files/gone"],
    });
    expect(progress).toEqual([1, 2, 3, 4, 5]);
    expect((await read(to, two ?? ""))?.toString()).toBe("two");
    expect(await read(to, damaged ?? "")).toBeUndefined();
    expect((await read(from, two ?? ""))?.toString()).toBe("two");
    expect(await copy()).toMatchObject({ copied: 0, present: 3 });
    expect(await readdir(join(folder, "staging"))).toEqual([]);
  });
});

describe("a bucket whose server is away", () => {
  it("is an error to try again, and nothing is lost when it comes back", async () => {
    const store = storeOf("bucket");
    const version = await put(store, Buffer.from("still there"));
    const path = await staged(Buffer.from("later"));
    await server.stop();
    const gone = { status: 503, code: "S3Error", retryAfterS: 5 };
    await expect(store.open(version)).rejects.toMatchObject(gone);
    await expect(store.put(randomUUID(), path)).rejects.toMatchObject(gone);
    await expect(store.remove([version])).rejects.toMatchObject(gone);
    await server.start();
    expect((await read(store, version))?.toString()).toBe("still there");
    const later = randomUUID();
    await store.put(later, path);
    expect((await read(store, later))?.toString()).toBe("later");
  });
});
