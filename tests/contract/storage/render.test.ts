import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { anonymous, serviceRole, signUp } from "../../support/clients.ts";
import { createStorageAccount, picture, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
let open: string;
let hidden: string;

/** 400 by 200 pixels, the left half red, the right half blue. */
async function flag(): Promise<Buffer> {
  const red = await sharp({ create: { width: 200, height: 200, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const wide = { width: 400, height: 200, channels: 3, background: "blue" } as const;
  return await sharp({ create: wide })
    .composite([{ input: red, left: 0, top: 0 }])
    .jpeg({ quality: 95 })
    .toBuffer();
}

beforeAll(async () => {
  ada = await createStorageAccount();
  [open, hidden] = [`${ada.id}-flag.jpg`, `${ada.id}/flag.jpg`];
  const type = { contentType: "image/jpeg" };
  const stored = [
    await ada.client.storage.from("pictures").upload(open, await flag(), type),
    await ada.client.storage.from("documents").upload(hidden, await flag(), type),
  ];
  expect(stored.map(({ error }) => error)).toEqual([null, null]);
});

const route = (path: string) => `${inject("host").url}/storage/v1/render/image/${path}`;

async function sizeOf(answer: Response): Promise<[number, number, string | undefined]> {
  const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  return [width, height, format];
}

describe("a transformed image", () => {
  test.each([
    ["width=100", [100, 50, "jpeg"], "width:100,resizing_type:fill"],
    ["width=100&height=100", [100, 100, "jpeg"], "height:100,width:100,resizing_type:fill"],
    [
      "width=100&height=100&resize=contain",
      [100, 50, "jpeg"],
      "height:100,width:100,resizing_type:fit",
    ],
    [
      "width=100&height=100&resize=fill&quality=40",
      [100, 100, "jpeg"],
      "height:100,width:100,resizing_type:force,quality:40",
    ],
    ["width=80&format=webp", [80, 40, "webp"], "width:80,resizing_type:fill,format:webp"],
    ["width=900000", [400, 200, "jpeg"], "width:2000,resizing_type:fill"],
    ["", [400, 200, "jpeg"], ""],
  ])("has the size and format of ?%s", async (query, size, text) => {
    const answer = await fetch(route(`public/pictures/${open}?${query}`));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-transformations")).toBe(text);
    expect(answer.headers.get("content-type")).toBe(`image/${String(size[2])}`);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await sizeOf(answer)).toEqual(size);
  });

  test("is WebP for a client that takes it, unless the original is asked for", async () => {
    const headers = { accept: "image/avif,image/webp,*/*" };
    const webp = await fetch(route(`public/pictures/${open}?width=50`), { headers });
    expect([webp.headers.get("vary"), await sizeOf(webp)]).toEqual([
      expect.stringContaining("accept"),
      [50, 25, "webp"],
    ]);
    const same = await fetch(route(`public/pictures/${open}?width=50&format=origin`), { headers });
    expect(await sizeOf(same)).toEqual([50, 25, "jpeg"]);
  });

  test("is not sent again to a client that has it, and is another one for another size", async () => {
    const url = route(`public/pictures/${open}?width=60`);
    const first = await fetch(url);
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    const larger = await fetch(route(`public/pictures/${open}?width=61`), {
      headers: { "if-none-match": etag },
    });
    expect(larger.status).toBe(200);
  });

  test.each([
    "width=abc",
    "width=-5",
    "width=1.5",
    "quality=5",
    "quality=101",
    "resize=stretch",
    "format=avif",
    "format=svg",
  ])("is refused with a reason for ?%s", async (query) => {
    const answer = await fetch(route(`public/pictures/${open}?${query}`));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: "InvalidRequest", message: expect.stringMatching(/^querystring\//) as string },
    ]);
  });

  test("is made of a picture that was stored without its type", async () => {
    const name = `${ada.id}/untyped`;
    const files = ada.client.storage.from("documents");
    expect((await files.upload(name, await flag())).error).toBeNull();
    const { data } = await files.download(name, { transform: { width: 40 } });
    expect(data?.type).toBe("image/jpeg");
  });

  test("is made of images alone", async () => {
    const name = `${ada.id}/words.txt`;
    const files = ada.client.storage.from("documents");
    await files.upload(name, "words", { contentType: "text/plain" });
    const { error } = await files.download(name, { transform: { width: 10 } });
    expect(error).toMatchObject({ message: expect.stringContaining("not an image") as string });
  });

  test("is made once for many that ask at the same time, and all get it", async () => {
    const url = route(`public/pictures/${open}?width=123`);
    const answers = await Promise.all(Array.from({ length: 40 }, async () => fetch(url)));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(40).fill(200));
  });
});

describe("a transformed image of a private bucket", () => {
  test("is for those who may read the original", async () => {
    const transform = { width: 40, height: 40 };
    const own = await ada.client.storage.from("documents").download(hidden, { transform });
    expect(own.data?.type).toBe("image/jpeg");
    const bob = await createStorageAccount();
    for (const client of [bob.client, anonymous()]) {
      const { data, error } = await client.storage
        .from("documents")
        .download(hidden, { transform });
      expect([data, error]).toMatchObject([null, { name: "StorageApiError" }]);
    }
    const bare = await fetch(route(`public/documents/${hidden}?width=40`));
    expect(await bare.json()).toMatchObject({ error: "Bucket not found" });
    const noKey = await fetch(route(`authenticated/documents/${hidden}?width=40`));
    expect(await noKey.json()).toMatchObject({ statusCode: "400", error: "Error" });
  });

  test("is shown by a signed link in its size alone, until the session ends", async () => {
    const account = await signUp();
    const files = account.client.storage.from("documents");
    const name = `${account.id}/own.png`;
    await files.upload(name, await picture("png", 300), { contentType: "image/png" });
    const transform = { width: 30, height: 20, quality: 60 };
    const { data } = await files.createSignedUrl(name, 60, { transform });
    const link = data?.signedUrl ?? "";
    expect(link).toContain("/render/image/sign/");
    const answer = await fetch(link);
    expect(answer.headers.get("x-transformations")).toBe(
      "height:20,width:30,resizing_type:fill,quality:60",
    );
    expect(await sizeOf(answer)).toEqual([30, 20, "png"]);
    const larger = await fetch(`${link}&width=300&height=300`);
    expect(await sizeOf(larger)).toEqual([30, 20, "png"]);
    const original = await fetch(link.replace("/render/image/sign/", "/object/sign/"));
    expect(await original.json()).toMatchObject({ error: "InvalidSignature" });
    const plain = (await files.createSignedUrl(name, 60)).data?.signedUrl ?? "";
    const rendered = await fetch(plain.replace("/object/sign/", "/render/image/sign/"));
    expect(await rendered.json()).toMatchObject({ error: "InvalidSignature" });
    await account.client.auth.signOut();
    expect(await (await fetch(link)).json()).toMatchObject({ statusCode: "403" });
  });

  test("is of the new file once another has its name", async () => {
    const files = serviceRole().storage.from("documents");
    const name = `${randomUUID()}.png`;
    const image = { contentType: "image/png", upsert: true };
    await files.upload(name, await picture("png", 10), image);
    const width = async () => {
      const { data } = await files.download(name, { transform: { height: 8, resize: "contain" } });
      return (
        await sharp(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0))).metadata()
      ).width;
    };
    expect(await width()).toBe(8);
    await files.upload(name, await flag(), image);
    expect(await width()).toBe(16);
  });
});
