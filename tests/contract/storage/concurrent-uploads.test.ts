import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ownerPool, serviceRole } from "../../support/clients.ts";
import { createStorageAccount } from "./accounts.ts";
import { filesWith } from "./stored-files.ts";

const admin = ownerPool();
afterAll(async () => {
  await admin.end();
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
