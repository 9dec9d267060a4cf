import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import type pg from "pg";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ownerPool } from "../../support/clients.ts";
import { createStorageAccount, tokenFor, type TestAccount } from "./accounts.ts";
import { filesWith } from "./stored-files.ts";

const endpoint = `${inject("host").url}/storage/v1/upload/resumable`;

let owner: pg.Pool;
let ada: TestAccount;
let grace: TestAccount;
beforeAll(async () => {
  owner = ownerPool();
  [ada, grace] = await Promise.all([createStorageAccount(), createStorageAccount()]);
});
afterAll(async () => await owner.end());

const base64 = (text: string) => Buffer.from(text).toString("base64");
const metadataOf = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(",");

const headersOf = (account: TestAccount, more: Record<string, string> = {}) => ({
  "tus-resumable": "1.0.0",
  authorization: `Bearer ${account.token}`,
  apikey: inject("host").anonKey,
  ...more,
});

/** Begins an upload; 201 with `Location` when it is allowed. */
async function begin(
  account: TestAccount,
  fields: Record<string, string>,
  size: number,
  more: Record<string, string> = {},
): Promise<Response> {
  return await fetch(endpoint, {
    method: "POST",
    headers: headersOf(account, {
      "upload-length": String(size),
      "upload-metadata": metadataOf(fields),
      ...more,
    }),
  });
}

async function ask(account: TestAccount, method: "HEAD" | "DELETE", url: string, more = {}) {
  return await fetch(url, { method, headers: headersOf(account, more) });
}

async function patch(account: TestAccount, url: string, offset: number, body: Buffer, more = {}) {
  return await fetch(url, {
    method: "PATCH",
    headers: headersOf(account, {
      "content-type": "application/offset+octet-stream",
      "upload-offset": String(offset),
      ...more,
    }),
    body: new Uint8Array(body),
  });
}

const locationOf = (response: Response) => response.headers.get("location") ?? "";

/** Rows and stored parts of an account's uploads. */
async function uploadsOf({ id }: TestAccount) {
  const { rows } = await owner.query<{ id: string; parts: string[] }>(
    "select id::text, parts::text[] from host.resumable_uploads where owner = $1 and finished_at is null",
    [`authenticated ${id}`],
  );
  return rows;
}

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
    expect(await uploadsOf(ada)).toEqual([]);
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
    const head = await ask(ada, "HEAD", url);
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
    const after = await ask(ada, "HEAD", url);
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
      headersOf(ada, { "content-type": "application/offset+octet-stream", "upload-offset": "0" }),
    ))
      lines.push(`${key}: ${value}`);
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(bytes.subarray(0, 40_000), () => socket.end());
    await vi.waitFor(
      async () => {
        const head = await ask(ada, "HEAD", url);
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
        12,
      ),
    );
    const same = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await patch(ada, url, 0, Buffer.from("123456"))).status,
      ),
    );
    expect(same.toSorted()).toEqual([204, 409, 409, 409]);
    const last = await Promise.all(
      Array.from(
        { length: 4 },
        async () => (await patch(ada, url, 6, Buffer.from("789012"))).status,
      ),
    );
    expect(last.filter((status) => status === 204)).toHaveLength(1);
    for (const status of last) expect([204, 409, 423]).toContain(status);
    const { data } = await ada.client.storage.from("documents").download(name);
    expect(await data?.text()).toBe("123456789012");
  });

  it("is ended by its account, with what was stored of it", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/ended.bin` };
    const mark = randomUUID();
    const url = locationOf(await begin(ada, fields, 100));
    await patch(ada, url, 0, Buffer.from(mark));
    expect(await filesWith(mark)).toBe(1);
    const stored = (await uploadsOf(ada)).find(({ id }) => url.endsWith(id));
    expect(stored?.parts).toHaveLength(1);
    expect((await ask(ada, "DELETE", url)).status).toBe(204);
    expect((await ask(ada, "HEAD", url)).status).toBe(404);
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

describe("a resumable upload is refused", () => {
  it.each([
    ["into another account's folder", { objectName: "someone/else.txt" }, 5, 403],
    ["of a type the bucket does not take", { contentType: "video/mp4" }, 5, 415],
    ["above the bucket's limit", {}, 1_048_577, 413],
    ["into a bucket that is not there", { bucketName: "nowhere" }, 5, 404],
    ["with a name that is none", { objectName: "a/../b" }, 5, 400],
    ["without a name", { objectName: "" }, 5, 400],
    ["without a byte", {}, 0, 400],
  ])("%s, before a byte is sent", async (_, changed, size, status) => {
    const fields = {
      bucketName: "documents",
      objectName: `${ada.id}/${randomUUID()}.txt`,
      contentType: "text/plain",
      ...changed,
    };
    const answer = await begin(ada, fields, size);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("location")).toBeNull();
    expect(await answer.text()).not.toContain("    at ");
  });

  it("without a token, with a bad one, and without the protocol's own headers", async () => {
    const fields = {
      bucketName: "documents",
      objectName: `${ada.id}/x.txt`,
      contentType: "text/plain",
    };
    const anonymous = await fetch(endpoint, {
      method: "POST",
      headers: {
        "tus-resumable": "1.0.0",
        apikey: inject("host").anonKey,
        "upload-length": "5",
        "upload-metadata": metadataOf(fields),
      },
    });
    expect(anonymous.status).toBe(403);
    const stranger = {
      ...ada,
      token: await tokenFor(ada.id, {}, "another-secret-of-thirty-two-characters-"),
    };
    expect((await begin(stranger, fields, 5)).status).toBe(403);
    expect((await begin(ada, fields, 5, { "tus-resumable": "0.9.0" })).status).toBe(400);
    const garbled = await begin(ada, fields, 5, { "upload-metadata": "bucketName ???" });
    expect(garbled.status).toBe(400);
    const huge = await begin(ada, fields, 5, { "upload-length": "-1" });
    expect(huge.status).toBe(400);
  });

  it("to everybody but its account: how far it is, more bytes, and its end", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/mine.bin` };
    const url = locationOf(await begin(ada, fields, 10));
    expect((await ask(grace, "HEAD", url)).status).toBe(404);
    expect((await patch(grace, url, 0, Buffer.from("evil"))).status).toBe(404);
    expect((await ask(grace, "DELETE", url)).status).toBe(404);
    for (const other of ["not-an-id", randomUUID(), "%00", "..%2F..%2Fetc"])
      expect((await ask(ada, "HEAD", `${endpoint}/${other}`)).status).toBeGreaterThanOrEqual(400);
    expect((await ask(ada, "HEAD", url)).headers.get("upload-offset")).toBe("0");
    expect((await ask(ada, "DELETE", url)).status).toBe(204);
  });

  it("to an account that may not write any more, in the middle of it", async () => {
    const account = await createStorageAccount();
    const fields = { bucketName: "limited", objectName: "red/half.bin" };
    const inTeam = { ...account, token: await tokenFor(account.id, { team: "red" }) };
    const url = locationOf(await begin(inTeam, fields, 10));
    expect((await patch(inTeam, url, 0, Buffer.from("01234"))).status).toBe(204);
    const left = { ...account, token: await tokenFor(account.id, { team: "blue" }) };
    expect((await ask(left, "HEAD", url)).status).toBe(403);
    expect((await patch(left, url, 5, Buffer.from("56789"))).status).toBe(403);
    const { rowCount } = await owner.query(
      "select from storage.objects where bucket_id = 'limited' and owner_id = $1",
      [account.id],
    );
    expect(rowCount).toBe(0);
    expect((await patch(inTeam, url, 5, Buffer.from("56789"))).status).toBe(204);
  });

  it("with its last part when the content is not what it claims, and leaves nothing", async () => {
    const account = await createStorageAccount();
    const fields = {
      bucketName: "documents",
      objectName: `${account.id}/fake.png`,
      contentType: "image/png",
    };
    const url = locationOf(await begin(account, fields, 10));
    expect((await patch(account, url, 0, Buffer.from("01234"))).status).toBe(204);
    const last = await patch(account, url, 5, Buffer.from("56789"));
    expect([last.status, await last.text()]).toEqual([415, "mime type image/png is not supported"]);
    expect((await ask(account, "HEAD", url)).status).toBe(404);
    expect(await uploadsOf(account)).toEqual([]);
  });

  it("beyond what an account may leave unfinished", async () => {
    const account = await createStorageAccount();
    const begun = await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const fields = { bucketName: "drop-box", objectName: `${account.id}/${at}.bin` };
        return (await begin(account, fields, 1000)).status;
      }),
    );
    expect(begun.filter((status) => status === 201)).toHaveLength(20);
    expect(begun.filter((status) => status === 429)).toHaveLength(4);
    const large = await createStorageAccount();
    const sizes = [];
    for (let at = 0; at < 12; at++) {
      const fields = { bucketName: "drop-box", objectName: `${large.id}/${at}.bin` };
      sizes.push((await begin(large, fields, 50 * 1024 ** 2)).status);
    }
    expect(sizes).toEqual([...Array<number>(10).fill(201), 429, 429]);
    await owner.query("delete from host.resumable_uploads where owner = any ($1)", [
      [account, large].map(({ id }) => `authenticated ${id}`),
    ]);
  });

  it("when more comes than was announced", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/more.bin` };
    const url = locationOf(await begin(ada, fields, 4));
    expect((await patch(ada, url, 0, Buffer.from("01234"))).status).toBe(413);
    expect((await ask(ada, "HEAD", url)).headers.get("upload-offset")).toBe("0");
    expect((await ask(ada, "DELETE", url)).status).toBe(204);
  });

  it("a day after it was begun", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/old.bin` };
    const url = locationOf(await begin(ada, fields, 4));
    const id = url.slice(url.lastIndexOf("/") + 1);
    await owner.query(
      "update host.resumable_uploads set created_at = created_at - interval '24 hours 1 second' where id = $1",
      [id],
    );
    expect((await ask(ada, "HEAD", url)).status).toBe(404);
    expect((await patch(ada, url, 0, Buffer.from("0123"))).status).toBe(404);
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
  await ask(ada, "DELETE", locationOf(begun));
});
