import { randomUUID } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createStorageAccount, pdf, type TestAccount } from "./accounts.ts";

let ada: TestAccount;
beforeAll(async () => {
  ada = await createStorageAccount();
});

/** 400 by 200 pixels with a colour of its own in each corner, so that a turned picture shows. */
function corners(channels: 3 | 4 = 3): Sharp {
  const [width, height] = [400, 200];
  const bytes = Buffer.alloc(width * height * channels);
  for (let at = 0; at < width * height; at += 1) {
    const [isRight, isLow] = [at % width >= width / 2, at >= (width * height) / 2];
    bytes.set([isRight ? 255 : 0, isLow ? 255 : 0, 90, 128].slice(0, channels), at * channels);
  }
  return sharp(bytes, { raw: { width, height, channels } });
}

const jpeg = async () => await corners().jpeg({ quality: 95 }).toBuffer();
const turned = async (orientation: number) =>
  await corners().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
const heif = (brand: string) =>
  Buffer.from(`\0\0\0\u0018ftyp${brand}\0\0\0\0mif1${brand}`, "latin1");

/** Uploads to a bucket of pictures. @returns the picture that is served, or the refusal */
async function sendPicture(bytes: Buffer, contentType: string): Promise<Buffer | string> {
  const bucket = ada.client.storage.from("pictures");
  const path = `${ada.id}-${randomUUID()}`;
  const { error } = await bucket.upload(path, bytes, { contentType });
  if (error) return error.message;
  const answer = await fetch(bucket.getPublicUrl(path).data.publicUrl);
  return Buffer.from(await answer.arrayBuffer());
}

/** Format, size and upper left colour (its nearest corner) of a served picture. */
async function seen(served: Buffer | string) {
  if (typeof served === "string") return served;
  const { width, height, format } = await sharp(served).metadata();
  const first = await sharp(served).removeAlpha().toColourspace("srgb").raw().toBuffer();
  const corner = [Number((first[0] ?? 0) > 127), Number((first[1] ?? 0) > 127)];
  return [format, width, height, corner.join("")];
}

const [jpegType, pngType] = ["image/jpeg", "image/png"];

describe("a picture as people have it", () => {
  test.each<[string, () => Promise<Buffer>, string, unknown]>([
    ["a plain photo", jpeg, jpegType, ["jpeg", 400, 200, "00"]],
    [
      "a progressive photo",
      async () => await corners().jpeg({ progressive: true }).toBuffer(),
      jpegType,
      ["jpeg", 400, 200, "00"],
    ],
    ["one taken upside down", async () => await turned(3), jpegType, ["jpeg", 400, 200, "11"]],
    ["one mirrored and turned", async () => await turned(5), jpegType, ["jpeg", 200, 400, "00"]],
    ["one taken upright", async () => await turned(6), jpegType, ["jpeg", 200, 400, "01"]],
    ["one turned the other way", async () => await turned(8), jpegType, ["jpeg", 200, 400, "10"]],
    [
      "one for printing, in four colours",
      async () => await corners().toColourspace("cmyk").jpeg().toBuffer(),
      jpegType,
      ["jpeg", 400, 200, "00"],
    ],
    [
      "a photo that moves, with a film behind it",
      async () =>
        Buffer.concat([await jpeg(), Buffer.from("\0\0\0\u0018ftypmp42"), Buffer.alloc(3000, 7)]),
      jpegType,
      ["jpeg", 400, 200, "00"],
    ],
    [
      "one padded behind its end",
      async () => Buffer.concat([await jpeg(), Buffer.alloc(4000)]),
      jpegType,
      ["jpeg", 400, 200, "00"],
    ],
    [
      "a PNG that is called a JPEG",
      async () => await corners().png().toBuffer(),
      jpegType,
      ["png", 400, 200, "00"],
    ],
    [
      "a WebP that is called a JPEG",
      async () => await corners().webp({ quality: 95 }).toBuffer(),
      jpegType,
      ["webp", 400, 200, "00"],
    ],
    [
      "one with a palette",
      async () => await corners().png({ palette: true }).toBuffer(),
      pngType,
      ["png", 400, 200, "00"],
    ],
    [
      "one of 16 bits",
      async () => await corners().toColourspace("rgb16").png().toBuffer(),
      pngType,
      ["png", 400, 200, "00"],
    ],
    [
      "a grey one of 16 bits",
      async () => await corners().toColourspace("grey16").png().toBuffer(),
      pngType,
      ["png", 400, 200, "00"],
    ],
    [
      "one in the colours of a phone's screen",
      async () => await corners().withIccProfile("p3").png().toBuffer(),
      pngType,
      ["png", 400, 200, "00"],
    ],
    [
      "a long screenshot",
      async () => await corners().resize(100, 9000, { fit: "fill" }).png().toBuffer(),
      pngType,
      ["png", 23, 2048, "00"],
    ],
    [
      "one pixel",
      async () => await corners().resize(1, 1).png().toBuffer(),
      pngType,
      ["png", 1, 1, "11"],
    ],
    [
      "one of too many pixels",
      async () => await corners().resize(9000, 6000, { kernel: "nearest" }).png().toBuffer(),
      pngType,
      "The image has too many pixels",
    ],
    [
      "one that was cut off",
      async () => (await jpeg()).subarray(0, 900),
      jpegType,
      "The image could not be read",
    ],
    [
      "nothing",
      async () => await Promise.resolve(Buffer.alloc(0)),
      jpegType,
      "mime type image/jpeg is not supported",
    ],
    [
      "a phone's HEIC",
      async () => await Promise.resolve(heif("heic")),
      "image/heic",
      "mime type image/heic is not supported",
    ],
    [
      "a phone's HEIC that is called a JPEG",
      async () => await Promise.resolve(heif("heic")),
      jpegType,
      "mime type image/heic is not supported",
    ],
    [
      "AVIF",
      async () => await corners().avif({ effort: 0 }).toBuffer(),
      "image/avif",
      "mime type image/avif is not supported",
    ],
  ])("%s", async (_, bytes, type, expected) => {
    expect(await seen(await sendPicture(await bytes(), type))).toEqual(expected);
  });

  test("keeps what shines through", async () => {
    const served = await sendPicture(await corners(4).png().toBuffer(), pngType);
    const { data } = await sharp(served).raw().toBuffer({ resolveWithObject: true });
    expect([data.length, data[3]]).toEqual([400 * 200 * 4, 128]);
  });

  test("under any name that a phone or a person gives", async () => {
    const files = ada.client.storage.from("shared");
    const bytes = await jpeg();
    for (const name of ["PHOTO.JPG", "photo.JPEG", "photo.jfif", "noext", "u n d (1).png"]) {
      const path = `${ada.id}/${name}`;
      const { error } = await files.upload(path, bytes, { contentType: jpegType });
      expect([name, error]).toEqual([name, null]);
      expect((await files.info(path)).data?.contentType).toBe(jpegType);
    }
    // Hosted projects refuse such names too; the app names files itself.
    const odd = await files.upload(`${ada.id}/ünï cödé 照片 (1).png`, bytes, {
      contentType: jpegType,
    });
    expect(odd.error).toMatchObject({ code: "InvalidKey", statusCode: "400" });
  });
});

describe("a PDF as banks, scanners and readers write it", () => {
  const whole = pdf().toString("latin1");
  const body = whole.trimEnd();
  test.each<[string, string, string | null]>([
    ["a plain one", whole, whole],
    ["one of version 2", whole.replace("1.7", "2.0"), whole.replace("1.7", "2.0")],
    ["one with a byte order mark", `\u00ef\u00bb\u00bf${whole}`, body],
    ["one behind a line end", `\r\n${whole}`, body],
    ["one with a comment behind its end", `${whole}% printed by a bank\n`, body],
    ["one padded with zeros", `${whole}${"\0".repeat(512)}`, body],
    ["one without a last line end", body, body],
    [
      "one that was changed later",
      `${whole}4 0 obj<</Type/Annot>>endobj\n%%EOF\n`,
      `${whole}4 0 obj<</Type/Annot>>endobj\n%%EOF`,
    ],
    [
      "one with a password",
      whole.replace("trailer<<", "trailer<</Encrypt<</Filter/Standard/V 1/R 2>>"),
      body.replace("trailer<<", "trailer<</Encrypt<</Filter/Standard/V 1/R 2>>"),
    ],
    [
      "one whose description has marks of a page's kind",
      pdf("<x:xmpmeta><rdf:RDF><html:p xmlns:html='x'>a</html:p></rdf:RDF>").toString("latin1"),
      pdf("<x:xmpmeta><rdf:RDF><html:p xmlns:html='x'>a</html:p></rdf:RDF>").toString("latin1"),
    ],
    ["one without an end", whole.replace("%%EOF", ""), null],
  ])("%s", async (_, text, stored) => {
    const bucket = ada.client.storage.from("documents");
    const path = `${ada.id}/${randomUUID()}.pdf`;
    const options = { contentType: "application/pdf" };
    const { error } = await bucket.upload(path, Buffer.from(text, "latin1"), options);
    if (stored === null) {
      expect(error).toMatchObject({ statusCode: "415" });
      return;
    }
    expect(error).toBeNull();
    const bytes = await (await bucket.download(path)).data?.arrayBuffer();
    const kept = Buffer.from(bytes ?? new ArrayBuffer(0)).toString("latin1");
    expect(kept.trimEnd()).toBe(stored.trimEnd());
  });
});
