import { afterEach, describe, expect, it, vi } from "vitest";
import { redrawImage, unreadableFileText } from "./reencode-image.ts";
import { heicBytes } from "./testing/heic-photo.ts";
import { explainUnreadablePicture, unreadablePictureStrings } from "./unreadable-picture.ts";

const box = (...brands: readonly string[]) =>
  `\0\0\0${String.fromCharCode(8 + 4 * brands.length)}ftyp${brands.join("")}`;
const latin = (text: string) => new Uint8Array(Array.from(text, (char) => char.charCodeAt(0)));
const { heic, avif, tiff, pdf, film, empty } = unreadablePictureStrings;

afterEach(() => vi.restoreAllMocks());

describe("a picture that can't be drawn", () => {
  it.each([
    ["an iPhone's", box("heic", "\0\0\0\0", "mif1", "heic"), heic],
    [
      "an iPhone's as its film program writes it",
      box("heic", "\0\0\0\0", "mif1", "heic", "miaf", "MiHB"),
      heic,
    ],
    ["a Samsung's", box("mif1", "\0\0\0\0", "mif1", "heix"), heic],
    ["of an unnamed kind of HEIF", box("mif1", "\0\0\0\0", "miaf"), heic],
    ["a burst", box("hevc", "\0\0\0\0", "msf1", "hevc"), heic],
    ["AVIF", box("avif", "\0\0\0\0", "mif1", "avif", "miaf"), avif],
    ["AVIF by its second brand", box("mif1", "\0\0\0\0", "avif"), avif],
    ["TIFF", "II*\0rest", tiff],
    ["a raw file of a camera", "MM\0*rest", tiff],
    ["a PDF", "%PDF-1.7", pdf],
    ["a film of a phone", box("qt  ", "\0\0\0\0", "qt  "), film],
    ["WebM", "\u001aEß£rest", film],
    ["nothing", "", empty],
    ["a page", "<html>", null],
    ["a JPEG that is cut", "\u00ff\u00d8\u00ff\u00e0\0\u0010JFIF", null],
    ["a mark alone", "\0\0\0\u0004ftyp", null],
  ])("is named when it is %s", async (_what, bytes, text) => {
    const said = await explainUnreadablePicture(new Blob([latin(bytes)]));
    expect(said).toBe(text);
  });

  it("keeps its advice, and other files the text of the form", async () => {
    vi.spyOn(globalThis, "createImageBitmap").mockRejectedValue(new Error("no picture"));
    const options = { longestSide: 10, quality: 1, maxBytes: 10 };
    const failure = async (bytes: BlobPart) => {
      const file = new File([bytes], "IMG_0001.JPG", { type: "image/jpeg" });
      const error: unknown = await redrawImage(file, "image/jpeg", options).catch(
        (e: unknown) => e,
      );
      return unreadableFileText(error, "We couldn't read it.");
    };
    expect(await failure(heicBytes)).toMatch(/^This is a HEIC photo.*Export it as a JPG/);
    expect(await failure("<html>")).toBe("We couldn't read it.");
  });
});
