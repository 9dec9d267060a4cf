import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { serviceRole } from "../../support/clients.ts";
import { createStorageAccount, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
let url: string;

beforeAll(async () => {
  ada = await createStorageAccount();
  const bucket = ada.client.storage.from("archive");
  await bucket.upload(`${ada.id}/digits.txt`, "0123456789", { contentType: "text/plain" });
  url = bucket.getPublicUrl(`${ada.id}/digits.txt`).data.publicUrl;
});

const get = async (headers: Record<string, string> = {}, method = "GET") =>
  await fetch(url, { headers, method });

describe("a public object", () => {
  test("answers HEAD with everything but the bytes", async () => {
    const answer = await get({}, "HEAD");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe("10");
    expect(answer.headers.get("cache-control")).toBe("max-age=3600");
    expect(answer.headers.get("etag")).toBe('"781e5e245d69b566979b86e28d23f2c7"');
    expect(await answer.text()).toBe("");
  });

  test("is answered with 304 while it is unchanged", async () => {
    const first = await get();
    const etag = first.headers.get("etag") ?? "";
    expect((await get({ "if-none-match": etag })).status).toBe(304);
    expect((await get({ "if-none-match": `"x", W/${etag}` })).status).toBe(304);
    expect((await get({ "if-none-match": '"x"' })).status).toBe(200);
    const modified = first.headers.get("last-modified") ?? "";
    expect((await get({ "if-modified-since": modified })).status).toBe(304);
  });

  test.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-2", "89", "bytes 8-9/10"],
    ["bytes=8-100", "89", "bytes 8-9/10"],
  ])("gives the part %s", async (range, text, contentRange) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get("content-range")).toBe(contentRange);
    expect(await answer.text()).toBe(text);
  });

  test("refuses a range beyond its end and ignores an invalid one", async () => {
    const answer = await get({ range: "bytes=10-" });
    expect([answer.status, answer.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    expect((await get({ range: "lines=1-2" })).status).toBe(200);
    expect((await get({ range: "bytes=0-1", "if-range": '"old"' })).status).toBe(200);
  });

  test("may be read by pages of any origin", async () => {
    const answer = await get({ origin: "https://elsewhere.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const preflight = await fetch(url.replace("/public/", "/"), {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,x-upsert",
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("x-upsert");
  });

  test("is found without a session, but not in a private bucket", async () => {
    const host = inject("host").url;
    const name = `${ada.id}/hidden.txt`;
    await ada.client.storage
      .from("documents")
      .upload(name, "hidden", { contentType: "text/plain" });
    for (const way of ["public/", "", "info/public/", "authenticated/"]) {
      const answer = await fetch(`${host}/storage/v1/object/${way}documents/${name}`);
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain("hidden");
    }
    const info = await fetch(`${host}/storage/v1/object/info/public/archive/${ada.id}/digits.txt`);
    expect(await info.json()).toMatchObject({ size: 10, content_type: "text/plain" });
  });
});

describe("buckets", () => {
  test("can be created, changed, emptied and deleted by the service role", async () => {
    const { storage } = serviceRole();
    const name = `made-${ada.id}`;
    const made = await storage.createBucket(name, {
      public: false,
      fileSizeLimit: "20KB",
      allowedMimeTypes: ["text/plain"],
    });
    expect(made.data).toEqual({ name });
    expect((await storage.createBucket(name)).error).toMatchObject({ statusCode: "409" });
    expect((await storage.getBucket(name)).data).toMatchObject({
      id: name,
      name,
      public: false,
      file_size_limit: 20_000,
      allowed_mime_types: ["text/plain"],
    });
    await storage.updateBucket(name, { public: true, fileSizeLimit: null, allowedMimeTypes: null });
    expect((await storage.getBucket(name)).data).toMatchObject({
      public: true,
      file_size_limit: null,
    });
    await storage.from(name).upload("a.txt", "a", { contentType: "text/plain" });
    expect((await storage.deleteBucket(name)).error).toMatchObject({ statusCode: "409" });
    expect((await storage.emptyBucket(name)).error).toBeNull();
    expect((await storage.deleteBucket(name)).error).toBeNull();
    expect((await storage.getBucket(name)).error).toMatchObject({ statusCode: "404" });
    const names = (await storage.listBuckets({ search: "DOCU" })).data?.map((bucket) => bucket.id);
    expect(names).toEqual(["documents"]);
  });

  test("cannot be changed by any other role", async () => {
    const { storage } = ada.client;
    expect((await storage.createBucket("mine")).error).toMatchObject({ statusCode: "403" });
    expect((await storage.listBuckets()).data).toEqual([]);
    expect((await storage.getBucket("documents")).error).toMatchObject({ statusCode: "404" });
    const change = await storage.updateBucket("documents", { public: true });
    expect(change.error).toMatchObject({ statusCode: "404" });
    expect((await storage.emptyBucket("documents")).error).toMatchObject({ statusCode: "404" });
    expect((await storage.deleteBucket("documents")).error).toMatchObject({ statusCode: "404" });
  });

  test("refuse limits that make no sense", async () => {
    const { storage } = serviceRole();
    const size = await storage.createBucket("bad-size", {
      public: false,
      fileSizeLimit: "10 apples",
    });
    expect(size.error).toMatchObject({ statusCode: "400" });
    const huge = await storage.createBucket("bad-size", { public: false, fileSizeLimit: "2GB" });
    expect(huge.error).toMatchObject({ statusCode: "413" });
    const types = await storage.createBucket("bad-type", {
      public: false,
      allowedMimeTypes: ["png"],
    });
    expect(types.error).toMatchObject({ statusCode: "415" });
    expect((await storage.createBucket("../up", { public: false })).error).toMatchObject({
      status: 400,
    });
  });
});

describe("answers that the official clients and monitors compare", () => {
  const base = () => `${inject("host").url}/storage/v1`;

  test("a request with neither key nor token is a bad request", async () => {
    const missing = await fetch(`${base()}/bucket`);
    expect([missing.status, await missing.json()]).toMatchObject([
      400,
      { statusCode: "400", error: "Error", message: "Invalid Compact JWS" },
    ]);
    const wrong = await fetch(`${base()}/bucket`, { headers: { authorization: "Bearer x.y.z" } });
    expect(await wrong.json()).toMatchObject({ statusCode: "403", error: "Unauthorized" });
  });

  test("an object's entity tag comes with its information, also for HEAD", async () => {
    const bucket = serviceRole().storage.from("documents");
    const name = `${randomUUID()}.txt`;
    await bucket.upload(name, "tagged", { contentType: "text/plain" });
    const { data } = await bucket.info(name);
    const { serviceRoleKey } = inject("host");
    const headers = { authorization: `Bearer ${serviceRoleKey}`, apikey: serviceRoleKey };
    for (const path of [`info/documents/${name}`, `info/authenticated/documents/${name}`]) {
      const head = await fetch(`${base()}/object/${path}`, { method: "HEAD", headers });
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([
        200,
        data?.etag,
        "",
      ]);
    }
  });

  test("the version is told, a bucket's kind is not, and emptying is announced", async () => {
    const version = await fetch(`${base()}/version`);
    expect([version.status, await version.text()]).toEqual([200, "1.48.0"]);
    const id = `kind-${randomUUID()}`;
    const { storage } = serviceRole();
    await storage.createBucket(id);
    expect(Object.keys((await storage.getBucket(id)).data ?? {}).sort()).toEqual([
      "allowed_mime_types",
      "created_at",
      "file_size_limit",
      "id",
      "name",
      "owner",
      "public",
      "updated_at",
    ]);
    expect((await storage.emptyBucket(id)).data).toEqual({
      message: "Empty bucket has been queued. Completion may take up to an hour.",
    });
  });
});
