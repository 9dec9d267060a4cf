import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tinyMp4, tinyWebm } from "../testing/tiny-films.ts";
import { playableFilmType } from "./film-content.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "film-content-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function typeOf(bytes: Uint8Array): Promise<string | undefined> {
  const path = join(folder, "film");
  await writeFile(path, bytes);
  return await playableFilmType(path);
}

/** The film with one text of its bytes replaced by another of the same length. */
function replaced(film: Uint8Array, from: string, to: string): Buffer {
  const bytes = Buffer.from(film);
  const at = bytes.indexOf(from, 0, "latin1");
  expect(at).toBeGreaterThan(-1);
  bytes.write(to, at, "latin1");
  return bytes;
}

function box(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...content]);
}

const ftyp = box("ftyp", Buffer.from("isom\0\0\0\0mp42", "latin1"));
const data = box("mdat", Buffer.from("pictures"));

/** A box of 64 bits of length. */
function largeBox(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1);
  head.write(type, 4, "latin1");
  head.writeBigUInt64BE(BigInt(16 + content.length), 8);
  return Buffer.concat([head, content]);
}

/** A movie with a track of this handler and sample entry. */
function movie(handler: string, codec: string): Buffer {
  const handlerBox = box("hdlr", Buffer.alloc(8), Buffer.from(handler, "latin1"), Buffer.alloc(13));
  const entries = box("stsd", Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), box(codec, Buffer.alloc(78)));
  const table = box("minf", box("stbl", entries));
  return box("moov", box("mvhd", Buffer.alloc(100)), box("trak", box("mdia", handlerBox, table)));
}

describe("a film", () => {
  test("is known by its container and its track of video", async () => {
    expect(await typeOf(tinyMp4)).toBe("video/mp4");
    expect(await typeOf(tinyWebm)).toBe("video/webm");
  });

  test.each(["avc1", "avc3", "hvc1", "hev1", "av01", "vp09"])("is taken in %s", async (codec) => {
    expect(await typeOf(Buffer.concat([ftyp, movie("vide", codec), data]))).toBe("video/mp4");
  });

  test("is taken with its description at the end, behind other boxes and large ones", async () => {
    const film = [ftyp, box("free", Buffer.alloc(64)), largeBox("mdat", Buffer.alloc(99))];
    expect(await typeOf(Buffer.concat([...film, movie("vide", "avc1")]))).toBe("video/mp4");
  });

  test("of a live recorder has no length of its parts", async () => {
    const bytes = Buffer.from(tinyWebm);
    const segment = bytes.indexOf(Buffer.from([0x18, 0x53, 0x80, 0x67]));
    bytes.fill(0xff, segment + 5, segment + 12);
    bytes[segment + 4] = 0x01;
    expect(await typeOf(bytes)).toBe("video/webm");
  });
});

describe("no film is", () => {
  const text = Buffer.from("<script>alert(1)</script>".repeat(50));
  const zeros = Buffer.alloc(300);
  test.each<[string, () => Uint8Array]>([
    ["nothing", () => new Uint8Array()],
    ["a text", () => text],
    ["a text with the mark of MP4", () => Buffer.concat([Buffer.from("    ftypisom"), text])],
    ["a text behind a whole first box", () => Buffer.concat([ftyp, text])],
    ["a text behind the mark of WebM", () => Buffer.concat([tinyWebm.subarray(0, 4), text])],
    ["a text behind the head of WebM", () => Buffer.concat([tinyWebm.subarray(0, 40), text])],
    ["boxes without a movie", () => Buffer.concat([ftyp, data])],
    ["a movie without pictures", () => Buffer.concat([ftyp, movie("vide", "avc1")])],
    ["a movie without tracks", () => Buffer.concat([ftyp, box("moov", zeros), data])],
    ["a track of sound", () => Buffer.concat([ftyp, movie("soun", "mp4a"), data])],
    ["video that no browser plays", () => Buffer.concat([ftyp, movie("vide", "mp4v"), data])],
    ["a track of sound called video", () => Buffer.concat([ftyp, movie("vide", "mp4a"), data])],
    ["a film cut off", () => tinyMp4.subarray(0, tinyMp4.length - 40)],
    ["QuickTime's own kind", () => replaced(tinyMp4, "ftypisom", "ftypqt  ")],
    ["Matroska", () => replaced(tinyWebm, "webm", "mkva")],
    ["WebM in a codec that is unknown", () => replaced(tinyWebm, "V_VP8", "V_XYZ")],
    ["WebM cut off before its pictures", () => tinyWebm.subarray(0, 200)],
    ["boxes of no length", () => Buffer.concat([ftyp, Buffer.alloc(100_000)])],
    ["a box of an impossible length", () => Buffer.concat([ftyp, Buffer.alloc(64, 0xff)])],
    [
      "hundreds of thousands of small boxes",
      () => Buffer.concat([ftyp, ...Array<Buffer>(200_000).fill(box("free"))]),
    ],
    [
      "boxes nested without end",
      () =>
        Buffer.concat([
          ftyp,
          Array.from({ length: 5000 }).reduce<Buffer>((inner) => box("moov", inner), box("trak")),
          data,
        ]),
    ],
  ])("%s", async (_, bytes) => {
    expect(await typeOf(bytes())).toBeUndefined();
  });
});
