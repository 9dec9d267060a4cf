import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { anonymous, serviceRole } from "../../support/clients.ts";
import { createStorageAccount, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
let bob: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
  bob = await createStorageAccount();
});

const documents = (who: TestAccount) => who.client.storage.from("documents");

describe("another member's object", () => {
  const path = () => `${ada.id}/private.txt`;

  beforeAll(async () => {
    await documents(ada).upload(path(), "secret", { contentType: "text/plain", upsert: true });
  });

  test.each(["bob", "anonymous"])("is reported as missing to %s by every call", async (who) => {
    const bucket = (who === "bob" ? bob.client : anonymous()).storage.from("documents");
    const missing = { status: 400, statusCode: "404" };
    expect((await bucket.download(path())).error).toMatchObject(missing);
    expect((await bucket.info(path())).error).toMatchObject(missing);
    expect((await bucket.exists(path())).data).toBe(false);
    expect((await bucket.createSignedUrl(path(), 60)).error).toMatchObject(missing);
    const links = await bucket.createSignedUrls([path()], 60);
    expect(links.data).toMatchObject([{ path: path(), signedUrl: null }]);
    expect((await bucket.copy(path(), `${bob.id}/stolen.txt`)).error).toMatchObject(missing);
    expect((await bucket.move(path(), `${bob.id}/stolen.txt`)).error).toMatchObject(missing);
    expect((await bucket.remove([path()])).data).toEqual([]);
    expect((await bucket.list(ada.id)).data).toEqual([]);
    expect((await bucket.list("")).data?.map((entry) => entry.name)).not.toContain(ada.id);
    expect(await (await documents(ada).download(path())).data?.text()).toBe("secret");
  });

  test("is answered the same whether it exists or not", async () => {
    const hidden = await documents(bob).download(path());
    const absent = await documents(bob).download(`${ada.id}/no-such-file.txt`);
    expect(hidden.error).toEqual(absent.error);
  });

  test("cannot be written, replaced or prepared for writing", async () => {
    const denied = { status: 400, statusCode: "403" };
    const options = { contentType: "text/plain" };
    const theirs = documents(bob);
    expect((await theirs.upload(`${ada.id}/x.txt`, "x", options)).error).toMatchObject(denied);
    expect((await theirs.upload(path(), "x", { ...options, upsert: true })).error).toMatchObject(
      denied,
    );
    expect((await theirs.update(path(), "x", options)).error).toMatchObject(denied);
    expect((await theirs.createSignedUploadUrl(`${ada.id}/y.txt`)).error).toMatchObject(denied);
    const own = `${bob.id}/mine.txt`;
    await theirs.upload(own, "x", { ...options, upsert: true });
    expect((await theirs.move(own, `${ada.id}/planted.txt`)).error).toMatchObject(denied);
    expect((await theirs.copy(own, `${ada.id}/planted.txt`)).error).toMatchObject(denied);
    const anonymously = await anonymous().storage.from("documents").upload("x.txt", "x", options);
    expect(anonymously.error).toMatchObject(denied);
  });

  test("visible to everyone can be replaced by its owner only", async () => {
    const name = `${randomUUID()}.txt`;
    const options = { contentType: "text/plain", upsert: true };
    await ada.client.storage.from("shared").upload(name, "original", options);
    const forged = await bob.client.storage.from("shared").upload(name, "forged", options);
    expect(forged.error).toMatchObject({ statusCode: "403" });
    const read = await anonymous().storage.from("shared").download(name);
    expect(await read.data?.text()).toBe("original");
  });

  test("an insert-only bucket accepts files and lists none", async () => {
    const name = `${randomUUID()}.txt`;
    const box = ada.client.storage.from("drop-box");
    expect((await box.upload(name, "note", { contentType: "text/plain" })).error).toBeNull();
    expect((await box.download(name)).error).toMatchObject({ statusCode: "404" });
    const upsert = await box.upload(name, "other", { contentType: "text/plain", upsert: true });
    expect(upsert.error).toMatchObject({ statusCode: "403" });
    const read = await serviceRole().storage.from("drop-box").download(name);
    expect(await read.data?.text()).toBe("note");
  });
});

test("a token signed with another key opens nothing", async () => {
  const { url, anonKey } = inject("host");
  for (const token of ["nonsense", "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0."]) {
    const answer = await fetch(`${url}/storage/v1/bucket`, {
      headers: { apikey: anonKey, authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ statusCode: "403" });
  }
});
