import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import type pg from "pg";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ownerPool } from "../../support/clients.ts";
import {
  begin,
  askUpload,
  endpoint,
  tusHeaders,
  locationOf,
  metadataOf,
  patch,
  uploadsOf,
} from "./resumable-client.ts";
import { createStorageAccount, type TestAccount } from "./accounts.ts";
import { filesWith } from "./stored-files.ts";

let owner: pg.Pool;
let ada: TestAccount;
beforeAll(async () => {
  owner = ownerPool();
  ada = await createStorageAccount();
});
afterAll(async () => await owner.end());

describe("a resumable upload", () => {
  it("of the official client arrives in chunks, with type, cache time and metadata", async () => {
    const bytes = randomBytes(700_000);
    const name = `${ada.id}/film.bin`;
    const progress: number[] = [];
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, {
        endpoint,
        headers: { authorization: `Bearer ${ada.token}`, apikey: inject("host").anonKey },
        chunkSize: 300_000,
        uploadDataDuringCreation: true,
        metadata: {
          bucketName: "drop-box",
          objectName: name,
          contentType: "application/x-film",
          cacheControl: "120",
          metadata: JSON.stringify({ lesson: 7 }),
        },
        onChunkComplete: (_, sent) => progress.push(sent),
        onError: reject,
        onSuccess: () => resolve(),
      }).start();
    });
    expect(progress).toEqual([300_000, 600_000, 700_000]);
    const { rows } = await owner.query<Record<string, unknown>>(
      `select owner_id, user_metadata, metadata ->> 'mimetype' as type, metadata ->> 'cacheControl' as cache,
         (metadata ->> 'size')::int as size from storage.objects where bucket_id = 'drop-box' and name = $1`,
      [name],
    );
    expect(rows).toEqual([
      {
        owner_id: ada.id,
        user_metadata: { lesson: 7 },
        type: "application/x-film",
        cache: "max-age=120",
        size: 700_000,
      },
    ]);
    const admin = await fetch(`${inject("host").url}/storage/v1/object/drop-box/${name}`, {
      headers: { apikey: inject("host").serviceRoleKey },
    });
    expect(Buffer.from(await admin.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await uploadsOf(owner, ada)).toEqual([]);
  });

  it("says where and until when it goes on, and how far it is, also when it is complete", async () => {
    const fields = {
      bucketName: "documents",
      objectName: `${ada.id}/steps.txt`,
      contentType: "text/plain",
    };
    const begun = await begin(ada, fields, 10);
    expect(begun.status).toBe(201);
    const url = locationOf(begun);
    expect(url).toMatch(/^http:\/\/[^/]+\/storage\/v1\/upload\/resumable\/[0-9a-f-]{36}$/);
    const hours = (Date.parse(begun.headers.get("upload-expires") ?? "") - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
    const first = await patch(ada, url, 0, Buffer.from("01234"));
    expect([first.status, first.headers.get("upload-offset")]).toEqual([204, "5"]);
    const head = await askUpload(ada, "HEAD", url);
    expect(head.status).toBe(200);
    expect(head.headers.get("upload-offset")).toBe("5");
    expect(head.headers.get("upload-length")).toBe("10");
    expect(head.headers.get("upload-metadata")).toBe(metadataOf(fields));
    expect(head.headers.get("cache-control")).toBe("no-store");
    // The row is written last.
    expect((await ada.client.storage.from("documents").exists(fields.objectName)).data).toBe(false);
    expect((await patch(ada, url, 5, Buffer.from("56789"))).status).toBe(204);
    const { data } = await ada.client.storage.from("documents").download(fields.objectName);
    expect(await data?.text()).toBe("0123456789");
    const after = await askUpload(ada, "HEAD", url);
    expect([after.status, after.headers.get("upload-offset")]).toEqual([200, "10"]);
    expect((await patch(ada, url, 10, Buffer.alloc(0))).status).toBe(409);
  });

  it("keeps what arrived of a request that was cut off, and goes on behind it", async () => {
    const name = `${ada.id}/cut.txt`;
    const url = locationOf(
      await begin(
        ada,
        { bucketName: "documents", objectName: name, contentType: "text/plain" },
        100_000,
      ),
    );
    const bytes = Buffer.alloc(100_000, "a");
    const { hostname, port, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    const lines = [
      `PATCH ${pathname} HTTP/1.1`,
      `host: ${hostname}:${port}`,
      "content-length: 100000",
    ];
    for (const [key, value] of Object.entries(
      tusHeaders(ada, { "content-type": "application/offset+octet-stream", "upload-offset": "0" }),
    ))
      lines.push(`${key}: ${value}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(bytes.subarray(0, 40_000), () => socket.end());
    await vi.waitFor(
      async () => {
        const head = await askUpload(ada, "HEAD", url);
        expect(head.headers.get("upload-offset")).toBe("40000");
      },
      { timeout: 30_000, interval: 100 },
    );
    expect((await patch(ada, url, 40_000, bytes.subarray(40_000))).status).toBe(204);
    const { data } = await ada.client.storage.from("documents").download(name);
    expect(await data?.text()).toBe(bytes.toString());
  });

  it("counts a part only behind the bytes it was sent for, however many come at once", async () => {
    const name = `${ada.id}/at-once.txt`;
    const url = locationOf(
      await begin(
        ada,
        { bucketName: "documents", objectName: name, contentType: "text/plain" },
        42,
      ),
    );
    // Both were begun at the same place before either has ended.
    const mark = randomUUID();
    const released = Promise.withResolvers<undefined>();
    const slow = async () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from(mark)),
        pull: async (controller) => {
          await released.promise;
          controller.close();
        },
      });
      const headers = tusHeaders(ada, {
        "content-type": "application/offset+octet-stream",
        "upload-offset": "0",
      });
      const init = { method: "PATCH", headers, body, duplex: "half" } as RequestInit;
      return (await fetch(url, init)).status;
    };
    const both = Promise.all([slow(), slow()]);
    await expect.poll(async () => await filesWith(mark)).toBe(2);
    released.resolve(undefined);
    expect((await both).toSorted((x, y) => x - y)).toEqual([204, 409]);
    const last = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await patch(ada, url, mark.length, Buffer.from("789012"))).status,
      ),
    );
    expect(last.filter((status) => status === 204)).toHaveLength(1);
    for (const status of last) expect([204, 409, 423]).toContain(status);
    const { data } = await ada.client.storage.from("documents").download(name);
    expect(await data?.text()).toBe(`${mark}789012`);
  });

  it("is ended by its account, with what was stored of it", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/ended.bin` };
    const mark = randomUUID();
    const url = locationOf(await begin(ada, fields, 100));
    await patch(ada, url, 0, Buffer.from(mark));
    expect(await filesWith(mark)).toBe(1);
    const stored = (await uploadsOf(owner, ada)).find(({ id }) => url.endsWith(id));
    expect(stored?.parts).toHaveLength(1);
    expect((await askUpload(ada, "DELETE", url)).status).toBe(204);
    expect((await askUpload(ada, "HEAD", url)).status).toBe(404);
    const { rows } = await owner.query("select from host.resumable_uploads where id = $1", [
      stored?.id,
    ]);
    expect(rows).toEqual([]);
    expect(await filesWith(mark)).toBe(0);
  });

  it("replaces a file with x-upsert alone", async () => {
    const name = `${ada.id}/replaced.txt`;
    const files = ada.client.storage.from("documents");
    await files.upload(name, "old", { contentType: "text/plain" });
    const fields = { bucketName: "documents", objectName: name, contentType: "text/plain" };
    const refused = await begin(ada, fields, 3);
    expect([refused.status, await refused.text()]).toEqual([409, "The resource already exists"]);
    const url = locationOf(await begin(ada, fields, 3, { "x-upsert": "true" }));
    expect((await patch(ada, url, 0, Buffer.from("new"))).status).toBe(204);
    expect(await (await files.download(name)).data?.text()).toBe("new");
  });
});

describe("a link to upload", () => {
  const signature = async (name: string) => {
    const { data } = await ada.client.storage.from("documents").createSignedUploadUrl(name);
    return data?.token ?? "";
  };
  const visit = async (
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: Buffer,
  ) =>
    await fetch(url, {
      method,
      headers: { "tus-resumable": "1.0.0", ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });

  it("works without a session, for its own name alone", async () => {
    const name = `${ada.id}/signed.txt`;
    const token = await signature(name);
    const start = async (objectName: string, given: string) =>
      await visit("POST", `${endpoint}/sign`, {
        "x-signature": given,
        "upload-length": "6",
        "upload-metadata": metadataOf({
          bucketName: "documents",
          objectName,
          contentType: "text/plain",
        }),
      });
    expect((await start(`${ada.id}/other.txt`, token)).status).toBe(400);
    expect((await start(name, "")).status).toBe(400);
    expect((await start(name, `${token}x`)).status).toBe(400);
    const begun = await start(name, token);
    expect(begun.status).toBe(201);
    const url = locationOf(begun);
    expect(url).toContain("/upload/resumable/sign/");
    const content = { "content-type": "application/offset+octet-stream", "upload-offset": "0" };
    const other = await signature(`${ada.id}/another.txt`);
    const bytes = Buffer.from("signed");
    expect((await visit("PATCH", url, { ...content, "x-signature": other }, bytes)).status).toBe(
      400,
    );
    expect((await visit("PATCH", url, content, bytes)).status).toBe(400);
    expect((await visit("PATCH", url, { ...content, "x-signature": token }, bytes)).status).toBe(
      204,
    );
    const { data } = await ada.client.storage.from("documents").download(name);
    expect(await data?.text()).toBe("signed");
  });
});

it("a page of another origin learns what it may send, and reads how far an upload is", async () => {
  const preflight = await fetch(`${endpoint}/${randomUUID()}`, {
    method: "OPTIONS",
    headers: {
      origin: "https://elsewhere.test",
      "access-control-request-method": "PATCH",
      "access-control-request-headers": "authorization,apikey,tus-resumable,upload-offset,x-upsert",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
  const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
  for (const name of [
    "authorization",
    "apikey",
    "tus-resumable",
    "upload-offset",
    "x-upsert",
    "x-signature",
  ])
    expect(allowed).toContain(name);
  expect(preflight.headers.get("tus-extension")).toBe(
    "creation,creation-with-upload,termination,expiration",
  );
  expect(preflight.headers.get("tus-max-size")).toBe(String(50 * 1024 ** 2));
  const begun = await begin(ada, { bucketName: "drop-box", objectName: `${ada.id}/cors.bin` }, 4, {
    origin: "https://elsewhere.test",
  });
  expect(begun.headers.get("access-control-allow-origin")).toBe("*");
  expect(begun.headers.get("access-control-expose-headers")?.toLowerCase()).toContain(
    "upload-offset",
  );
  await askUpload(ada, "DELETE", locationOf(begun));
});
