import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { serviceRole } from "../../support/clients.ts";
import { picture, createStorageAccount, type TestAccount } from "./accounts.ts";
import { filesWith } from "./stored-files.ts";

let ada: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
});

/** An upload whose body the test writes piece by piece. */
function startUpload(path: string, headers: Record<string, string>): ClientRequest {
  const { url, anonKey } = inject("host");
  const upload = request(`${url}/storage/v1/object/${path}`, {
    method: "POST",
    headers: { apikey: anonKey, authorization: `Bearer ${ada.token}`, ...headers },
  });
  upload.on("error", () => undefined);
  return upload;
}

describe("size", () => {
  test("a bucket's limit holds for a known length, a stream and a form", async () => {
    const mark = randomUUID();
    const bucket = ada.client.storage.from("documents");
    const large = Buffer.alloc(1_048_577, mark);
    const tooLarge = { status: 400, statusCode: "413" };
    const options = { contentType: "text/plain" };
    expect((await bucket.upload(`${ada.id}/known`, large, options)).error).toMatchObject(tooLarge);
    const stream = new Blob([large]).stream();
    expect((await bucket.upload(`${ada.id}/stream`, stream, options)).error).toMatchObject(
      tooLarge,
    );
    const form = new Blob([large], { type: "text/plain" });
    expect((await bucket.upload(`${ada.id}/form`, form)).error).toMatchObject(tooLarge);
    expect(await filesWith(mark)).toBe(0);
    const just = new Blob([large.subarray(1)], { type: "text/plain" });
    expect((await bucket.upload(`${ada.id}/just`, just)).error).toBeNull();
  });

  test("eleven megabytes are too many for a picture of five", async () => {
    const mark = randomUUID();
    const large = Buffer.concat([await picture(), Buffer.from(mark), randomBytes(11_000_000)]);
    const { error } = await ada.client.storage
      .from("pictures")
      .upload(`${ada.id}-large.png`, new Blob([large], { type: "image/png" }));
    expect(error).toMatchObject({ status: 400, statusCode: "413" });
    expect(await filesWith(mark)).toBe(0);
  });

  test("an upload without end is cut off", async () => {
    const mark = randomUUID();
    const upload = startUpload(`pictures/${ada.id}-endless.png`, { "content-type": "image/png" });
    const piece = Buffer.alloc(1_000_000, mark);
    let megabytes = 0;
    const answer = once(upload, "response");
    const answered = answer.then(() => true);
    for (let isOver = false; !isOver && megabytes < 100; megabytes += 1) {
      if (upload.write(piece)) continue;
      isOver = await Promise.race([once(upload, "drain").then(() => false), answered]);
    }
    const [response] = (await answer) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    expect(megabytes).toBeLessThan(60);
    upload.destroy();
    expect(await filesWith(mark)).toBe(0);
  });

  test("an aborted upload leaves nothing", async () => {
    const mark = randomUUID();
    const path = `${ada.id}/broken-off.txt`;
    const length = { "content-type": "text/plain", "content-length": "500000" };
    const upload = startUpload(`documents/${path}`, length);
    upload.write(Buffer.alloc(100_000, mark));
    await vi.waitFor(async () => expect(await filesWith(mark)).toBe(1), { timeout: 60_000 });
    upload.destroy();
    await vi.waitFor(async () => expect(await filesWith(mark)).toBe(0), { timeout: 60_000 });
    const found = await serviceRole().storage.from("documents").exists(path);
    expect(found.data).toBe(false);
  });

  test("an upload the policies forbid is refused before its bytes are read", async () => {
    // Reading this would end with "too large"; it is not read.
    const endless = new Blob([Buffer.alloc(2_000_000, "a")]).stream();
    const { error } = await ada.client.storage
      .from("documents")
      .upload(`${randomUUID()}/x.txt`, endless, { contentType: "text/plain" });
    expect(error).toMatchObject({ statusCode: "403" });
  });

  test("replaced and removed bytes are gone from the disk", async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const bucket = ada.client.storage.from("documents");
    const path = `${ada.id}/replaced.txt`;
    await bucket.upload(path, one, { contentType: "text/plain" });
    await bucket.upload(path, two, { contentType: "text/plain", upsert: true });
    expect([await filesWith(one), await filesWith(two)]).toEqual([0, 1]);
    await bucket.remove([path]);
    expect(await filesWith(two)).toBe(0);
  });
});
