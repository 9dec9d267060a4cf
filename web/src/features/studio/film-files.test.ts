import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { explainFilmError } from "./components/explain-film-error.ts";
import { filmTypeOf } from "./model/film-files.ts";
import { mp4Bytes, webmBytes } from "./testing/film-bytes.ts";

const mp4 = { extension: "mp4", contentType: "video/mp4" };
const webm = { extension: "webm", contentType: "video/webm" };
const [head, movie, data] = [
  ["ftyp", "isom"],
  ["moov", "tracks"],
  ["mdat", "pictures"],
] as const;

describe("a film that is chosen", () => {
  it("is known by its bytes, wherever its description stands", async () => {
    expect(await filmTypeOf(new Blob([webmBytes]))).toEqual(webm);
    expect(await filmTypeOf(new Blob([mp4Bytes([head, movie, data])]))).toEqual(mp4);
    const late = mp4Bytes([head, ["free", ""], data, movie]);
    expect(await filmTypeOf(new Blob([late]))).toEqual(mp4);
  });

  it("is known with the long sizes that programs write which don't know a film's length before its end", async () => {
    const films = await readdir("web/public/films");
    for (const name of films.filter((each) => each.endsWith(".webm"))) {
      expect(await filmTypeOf(new Blob([await readFile(`web/public/films/${name}`)]))).toEqual(
        webm,
      );
    }
    expect(films.some((name) => name.endsWith(".webm"))).toBe(true);
  });

  it.each([
    ["nothing", new Uint8Array()],
    ["a text with the mark of MP4", new TextEncoder().encode(`    ftypisom${"<html>".repeat(99)}`)],
    ["a text with the mark of WebM", webmBytes.slice(0, 4)],
    ["Matroska", Uint8Array.from(webmBytes, (byte, at) => (at === 8 ? 120 : byte))],
    ["QuickTime's own kind", mp4Bytes([["ftyp", "qt  "], movie, data])],
    ["a movie without pictures", mp4Bytes([head, movie])],
    ["a download that was cut off", mp4Bytes([head, movie, data]).slice(0, -3)],
    ["boxes of no length", mp4Bytes([head]).slice(0, 12).fill(0, 0, 4)],
  ])("is none when it is %s", async (_, bytes) => {
    expect(await filmTypeOf(new Blob([bytes]))).toBeNull();
  });
});

it("says when to try again after the server asked for that", () => {
  const busy = {
    code: "SlowDown",
    status: 503,
    message: "The server is busy right now. Try again in 5 seconds.",
  };
  expect(explainFilmError(busy)).toBe(`The film wasn't uploaded. ${busy.message}`);
});
