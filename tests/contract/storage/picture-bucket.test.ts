import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { picture, createStorageAccount, type TestAccount } from "./accounts.ts";

// `pictures` is public and takes nothing but pictures; `archive` is public and takes everything.
let ada: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
});

async function upload(bytes: Buffer, contentType: string, bucket = "pictures") {
  const path = `${ada.id}-${randomUUID()}`;
  const files = ada.client.storage.from(bucket);
  const { error } = await files.upload(path, bytes, { contentType });
  return { error, url: files.getPublicUrl(path).data.publicUrl };
}

async function kept(bytes: Buffer, contentType: string, bucket = "pictures") {
  const { error, url } = await upload(bytes, contentType, bucket);
  expect(error).toBeNull();
  const answer = await fetch(url);
  const stored = Buffer.from(await answer.arrayBuffer());
  return { stored, headers: answer.headers, facts: await sharp(stored).metadata() };
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "teal" } });

const htmlPage = "<!doctype html><script>alert(document.cookie)</script>";
const svgWithScript = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe("a public bucket for pictures alone", () => {
  test.each([
    [3000, 1000, 2048, 683],
    [1000, 3000, 683, 2048],
    [2049, 2049, 2048, 2048],
    [2048, 1200, 2048, 1200],
    [24, 10, 24, 10],
  ])("keeps a picture of %i × %i at %i × %i", async (width, height, keptWidth, keptHeight) => {
    const { facts } = await kept(await plain(width, height).png().toBuffer(), "image/png");
    expect([facts.width, facts.height]).toEqual([keptWidth, keptHeight]);
  });

  test("limits the size of a photo after applying its orientation", async () => {
    const photo = await plain(3000, 1000).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { facts } = await kept(photo, "image/jpeg");
    expect([facts.width, facts.height, facts.orientation]).toEqual([683, 2048, undefined]);
  });

  test("removes all metadata", async () => {
    const photo = await plain(60, 40)
      .withExif({ IFD0: { Artist: "Ada at home" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada at home</x:xmpmeta>')
      .withIccProfile("p3")
      .jpeg()
      .toBuffer();
    expect(photo.includes("Ada at home")).toBe(true);
    const { stored, facts } = await kept(photo, "image/jpeg");
    expect([facts.exif, facts.xmp, facts.iptc, facts.icc]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(stored.includes("Ada at home")).toBe(false);
  });

  test("removes a page or an archive inside or behind a picture", async () => {
    const jpeg = await picture("jpeg");
    const remark = Buffer.from(htmlPage);
    const segment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, remark.length + 2]), remark]);
    const inside = Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
    const zip = Buffer.from("PK\u0003\u0004 a program");
    for (const polyglot of [inside, Buffer.concat([jpeg, zip]), Buffer.concat([jpeg, remark])]) {
      const { stored, facts, headers } = await kept(polyglot, "image/jpeg");
      expect(facts.format).toBe("jpeg");
      expect(stored.includes("script")).toBe(false);
      expect(stored.includes("PK\u0003\u0004")).toBe(false);
      expect(headers.get("content-length")).toBe(String(stored.length));
    }
  });

  test.each([
    ["a drawing", Buffer.from(svgWithScript), "image/svg+xml"],
    ["a drawing called a picture", Buffer.from(svgWithScript), "image/png"],
    ["a page called a picture", Buffer.from(htmlPage), "image/jpeg"],
    ["a page called a page", Buffer.from(htmlPage), "text/html"],
    ["a bitmap, which nothing here writes", Buffer.from(`BM${"\0".repeat(60)}`), "image/bmp"],
  ])("refuses %s", async (_, bytes, contentType) => {
    const { error, url } = await upload(bytes, contentType);
    expect(error).toMatchObject({ status: 400, statusCode: "415" });
    expect((await fetch(url)).status).toBe(400);
  });

  test("refuses a format it cannot re-encode", async () => {
    const { error } = await upload(await plain(20, 20).tiff().toBuffer(), "image/tiff");
    expect(error).toMatchObject({ status: 400, statusCode: "415" });
  });

  test("refuses a decompression bomb", async () => {
    const bomb = await plain(7200, 7200).png().toBuffer();
    expect(bomb.length).toBeLessThan(1_000_000);
    expect((await upload(bomb, "image/png")).error).toMatchObject({ statusCode: "400" });
  });

  test("serves pictures with an image type only", async () => {
    const { headers } = await kept(await picture("png"), "image/png");
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
  });
});

test("a public bucket for all types keeps a picture's size and accepts SVG", async () => {
  const { facts } = await kept(await plain(3000, 100).png().toBuffer(), "image/png", "archive");
  expect(facts.width).toBe(3000);
  expect((await upload(Buffer.from(svgWithScript), "image/svg+xml", "archive")).error).toBeNull();
});
