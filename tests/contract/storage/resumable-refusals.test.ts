import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ownerPool } from "../../support/clients.ts";
import {
  begin,
  askUpload,
  endpoint,
  locationOf,
  metadataOf,
  patch,
  uploadsOf,
} from "./resumable-client.ts";
import { createStorageAccount, tokenFor, type TestAccount } from "./accounts.ts";

let owner: pg.Pool;
let ada: TestAccount;
let grace: TestAccount;
beforeAll(async () => {
  owner = ownerPool();
  [ada, grace] = await Promise.all([createStorageAccount(), createStorageAccount()]);
});
afterAll(async () => await owner.end());

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
    expect((await askUpload(grace, "HEAD", url)).status).toBe(404);
    expect((await patch(grace, url, 0, Buffer.from("evil"))).status).toBe(404);
    expect((await askUpload(grace, "DELETE", url)).status).toBe(404);
    for (const other of ["not-an-id", randomUUID(), "%00", "..%2F..%2Fetc"])
      expect((await askUpload(ada, "HEAD", `${endpoint}/${other}`)).status).toBeGreaterThanOrEqual(
        400,
      );
    expect((await askUpload(ada, "HEAD", url)).headers.get("upload-offset")).toBe("0");
    expect((await askUpload(ada, "DELETE", url)).status).toBe(204);
  });

  it("to an account that may not write any more, in the middle of it", async () => {
    const account = await createStorageAccount();
    const fields = { bucketName: "limited", objectName: "red/half.bin" };
    const inTeam = { ...account, token: await tokenFor(account.id, { team: "red" }) };
    const url = locationOf(await begin(inTeam, fields, 10));
    expect((await patch(inTeam, url, 0, Buffer.from("01234"))).status).toBe(204);
    const left = { ...account, token: await tokenFor(account.id, { team: "blue" }) };
    expect((await askUpload(left, "HEAD", url)).status).toBe(403);
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
    expect((await askUpload(account, "HEAD", url)).status).toBe(404);
    expect(await uploadsOf(owner, account)).toEqual([]);
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
    expect((await askUpload(ada, "HEAD", url)).headers.get("upload-offset")).toBe("0");
    expect((await askUpload(ada, "DELETE", url)).status).toBe(204);
  });

  it("with an answer that clients can read, also in the middle of a large part", async () => {
    const size = 8 * 1024 ** 2;
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/far.bin` };
    const url = locationOf(await begin(ada, fields, size));
    for (let tries = 0; tries < 3; tries++)
      expect((await patch(ada, url, 5, Buffer.alloc(size - 5))).status).toBe(409);
    const other = await createStorageAccount();
    expect((await patch(other, url, 0, Buffer.alloc(size))).status).toBe(404);
    expect((await askUpload(ada, "DELETE", url)).status).toBe(204);
  });

  it("a day after it was begun", async () => {
    const fields = { bucketName: "drop-box", objectName: `${ada.id}/old.bin` };
    const url = locationOf(await begin(ada, fields, 4));
    const id = url.slice(url.lastIndexOf("/") + 1);
    await owner.query(
      "update host.resumable_uploads set created_at = created_at - interval '24 hours 1 second' where id = $1",
      [id],
    );
    expect((await askUpload(ada, "HEAD", url)).status).toBe(404);
    expect((await patch(ada, url, 0, Buffer.from("0123"))).status).toBe(404);
  });
});
