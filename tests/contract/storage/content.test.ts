import { randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { tinyMp4, tinyWebm } from "basehost/testing";
import { pdf, picture, createStorageAccount, type TestAccount } from "./accounts.ts";

let ada: TestAccount;

beforeAll(async () => {
  ada = await createStorageAccount();
});

const htmlPage = "<!doctype html><html><script>alert(document.cookie)</script></html>";
const svgWithScript = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe("type", () => {
  test.each([
    ["a page called a picture", htmlPage, "image/png"],
    ["a drawing called a picture", svgWithScript, "image/png"],
    ["nothing called a picture", "", "image/jpeg"],
    ["a page called a drawing", `${htmlPage}${svgWithScript}`, "image/svg+xml"],
  ])("%s is refused", async (_, content, contentType) => {
    for (const bucket of ["pictures", "archive"]) {
      const { error } = await ada.client.storage
        .from(bucket)
        .upload(`${ada.id}-${randomUUID()}.png`, Buffer.from(content), { contentType });
      expect(error).toMatchObject({ status: 400, statusCode: "415" });
      expect(error?.message).toContain("is not supported");
    }
  });

  test("a picture is stored with the type of its bytes, not its claimed type", async () => {
    const path = `${ada.id}/called.png`;
    const bucket = ada.client.storage.from("documents");
    const up = await bucket.upload(path, await picture("jpeg"), { contentType: "image/png" });
    expect(up.error).toBeNull();
    expect((await bucket.info(path)).data?.contentType).toBe("image/jpeg");
    const refused = await bucket.upload(`${path}.gif`, await picture("gif"), {
      contentType: "image/png",
    });
    expect(refused.error).toMatchObject({ statusCode: "415" });
  });

  test("a bucket accepts the types it lists, wildcards included", async () => {
    const bucket = ada.client.storage.from("documents");
    const upload = async (type: string, name = randomUUID()) =>
      (await bucket.upload(`${ada.id}/${name}`, pdf(), { contentType: type })).error;
    expect(await upload("text/markdown;charset=utf-8")).toBeNull();
    expect(await upload("application/pdf")).toBeNull();
    expect(await upload("application/zip")).toMatchObject({ statusCode: "415" });
    expect(await upload("nonsense")).toMatchObject({ statusCode: "415" });
  });
});

describe("a claimed film", () => {
  const upload = async (bytes: Uint8Array, contentType: string) => {
    const bucket = ada.client.storage.from("shared");
    const path = `${ada.id}-${randomUUID()}`;
    const { error } = await bucket.upload(path, Buffer.from(bytes), { contentType });
    return error ?? (await bucket.info(path)).data?.contentType;
  };

  test("is stored with the type of its container", async () => {
    expect(await upload(tinyMp4, "video/mp4")).toBe("video/mp4");
    expect(await upload(tinyWebm, "video/webm;codecs=vp8")).toBe("video/webm;codecs=vp8");
    expect(await upload(tinyMp4, "video/webm")).toBe("video/mp4");
    expect(await upload(tinyMp4, "video/x-m4v")).toBe("video/x-m4v");
  });

  test.each(["video/mp4", "video/webm", "video/quicktime"])(
    "is refused as %s when its bytes are none",
    async (type) => {
      const marked = Buffer.from(`    ftypisom${htmlPage.repeat(20)}`);
      const files: Uint8Array[] = [Buffer.from(htmlPage), await picture()];
      if (type !== "video/quicktime") files.push(marked, tinyWebm.subarray(0, 60));
      for (const bytes of files) {
        expect(await upload(bytes, type)).toMatchObject({
          statusCode: "415",
          message: `mime type ${type} is not supported`,
        });
      }
    },
  );
});

describe("a claimed PDF", () => {
  const upload = async (bytes: Buffer, contentType = "application/pdf") =>
    (
      await ada.client.storage
        .from("documents")
        .upload(`${ada.id}/${randomUUID()}.pdf`, bytes, { contentType })
    ).error;

  test("is stored when it is one, also with space behind its end", async () => {
    expect(await upload(pdf())).toBeNull();
    expect(await upload(Buffer.concat([pdf(), Buffer.from("\r\n\0")]))).toBeNull();
    expect(await upload(pdf("x".repeat(200_000)))).toBeNull();
  });

  test.each([
    ["a page", Buffer.from(htmlPage)],
    ["a picture", Buffer.from("\x89PNG\r\n\x1a\n")],
    ["nothing", Buffer.alloc(0)],
    ["the signature alone", Buffer.from("%PDF-1.7")],
    ["a PDF that breaks off", pdf("x".repeat(5000)).subarray(0, 4000)],
    ["a page before a PDF", Buffer.concat([Buffer.from(htmlPage), pdf()])],
    ["a page inside the head of a PDF", pdf(htmlPage)],
    ["a page behind a PDF", Buffer.concat([pdf(), Buffer.from(htmlPage)])],
    ["an archive behind a PDF", Buffer.concat([pdf(), Buffer.from("PK\x05\x06")])],
  ])("that is %s is refused", async (_, bytes) => {
    const error = await upload(bytes);
    expect(error).toMatchObject({ status: 400, statusCode: "415" });
    expect(await upload(bytes, "application/PDF; version=1.7")).toMatchObject({
      statusCode: "415",
    });
  });
});

describe("a PDF with other bytes around it", () => {
  test("is stored without them", async () => {
    const bucket = ada.client.storage.from("documents");
    const path = `${ada.id}/${randomUUID()}.pdf`;
    const file = Buffer.concat([
      Buffer.from("\u00ef\u00bb\u00bf\r\n", "latin1"),
      pdf(),
      Buffer.from("% bank\n"),
    ]);
    expect((await bucket.upload(path, file, { contentType: "application/pdf" })).error).toBeNull();
    const { data } = await bucket.download(path);
    const stored = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer());
    expect(stored.toString("latin1").trimEnd()).toBe(pdf().toString("latin1").trimEnd());
    expect((await bucket.info(path)).data?.size).toBe(stored.length);
  });
});

/** A PNG whose header promises more than the file has: interlaced, 16 bits a sample. */
function promisingPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([16, 6, 0, 0, 1], 8);
  const chunk = (type: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), content]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a small file that becomes a huge picture", () => {
  test("is refused by its header, however many come at once", async () => {
    const bomb = promisingPng(7000);
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const path = `${ada.id}-${randomUUID()}.png`;
        const bucket = ada.client.storage.from("pictures");
        return (await bucket.upload(path, bomb, { contentType: "image/png" })).error;
      }),
    );
    const statuses = new Set(answers.map((error) => error && "status" in error && error.status));
    // One account waits with a few images at most; the others are told to come again.
    expect([...statuses].every((status) => status === 400 || status === 429)).toBe(true);
    expect(answers.some((error) => error?.message.includes("too many pixels"))).toBe(true);
  });
});

describe("pictures in a public bucket", () => {
  test("are re-encoded, which removes data hidden behind the pixels", async () => {
    const polyglot = Buffer.concat([await picture("png"), Buffer.from(htmlPage)]);
    const path = `${ada.id}-${randomUUID()}.png`;
    const bucket = ada.client.storage.from("pictures");
    expect((await bucket.upload(path, polyglot, { contentType: "image/png" })).error).toBeNull();
    const answer = await fetch(bucket.getPublicUrl(path).data.publicUrl);
    expect(answer.headers.get("content-type")).toBe("image/png");
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes("script")).toBe(false);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 24, height: 24 });
  });

  test("lose their metadata and stay upright", async () => {
    const photo = await sharp({
      create: { width: 40, height: 20, channels: 3, background: "red" },
    })
      .jpeg()
      .withExif({ IFD0: { Artist: "Ada at home" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const path = `${ada.id}-${randomUUID()}.jpg`;
    const bucket = ada.client.storage.from("pictures");
    await bucket.upload(path, photo, { contentType: "image/jpeg" });
    const answer = await fetch(bucket.getPublicUrl(path).data.publicUrl);
    const stored = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([stored.width, stored.height, stored.exif, stored.orientation]).toEqual([
      20,
      40,
      undefined,
      undefined,
    ]);
  });

  test.each(["jpeg", "webp", "gif"] as const)("%s stays what it is", async (format) => {
    const path = `${ada.id}-${randomUUID()}`;
    const bucket = ada.client.storage.from("pictures");
    const up = await bucket.upload(path, await picture(format), { contentType: `image/${format}` });
    expect(up.error).toBeNull();
    const answer = await fetch(bucket.getPublicUrl(path).data.publicUrl);
    expect(answer.headers.get("content-type")).toBe(`image/${format}`);
  });

  test("are refused when they cannot be decoded", async () => {
    const { error } = await ada.client.storage
      .from("pictures")
      .upload(`${ada.id}-broken.png`, (await picture()).subarray(0, 60), {
        contentType: "image/png",
      });
    expect(error).toMatchObject({ status: 400, statusCode: "400" });
  });

  test("cannot be smuggled in from a private bucket", async () => {
    const polyglot = Buffer.concat([await picture("png"), Buffer.from(htmlPage)]);
    const documents = ada.client.storage.from("documents");
    for (const how of ["copy", "move"] as const) {
      const from = `${ada.id}/${how}.png`;
      const to = `${ada.id}/${how}-${randomUUID()}.png`;
      await documents.upload(from, polyglot, { contentType: "image/png" });
      const { error } = await documents[how](from, to, { destinationBucket: "archive" });
      expect(error).toBeNull();
      const url = ada.client.storage.from("archive").getPublicUrl(to).data.publicUrl;
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect(bytes.includes("script")).toBe(false);
      expect(bytes.length).toBeGreaterThan(50);
    }
    expect((await documents.exists(`${ada.id}/move.png`)).data).toBe(false);
  });
});

describe("types a browser could execute", () => {
  test.each([
    ["image/svg+xml", svgWithScript],
    ["text/html", htmlPage],
    ["application/xhtml+xml", htmlPage],
    ["text/xml", svgWithScript],
  ])("%s is saved, not opened", async (contentType, content) => {
    const path = randomUUID();
    await ada.client.storage.from("archive").upload(path, content, { contentType });
    const url = ada.client.storage.from("archive").getPublicUrl(path).data.publicUrl;
    const { headers, status } = await fetch(url);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe("attachment");
    expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-type")).not.toBe("text/html");
  });
});
