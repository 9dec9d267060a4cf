import { fileTypeFromBuffer } from "file-type";
import sharp, { type Sharp } from "sharp";
import { fault } from "./errors.ts";
import { bareType } from "./limits.ts";
import type { Staged, Staging } from "./staging.ts";

/** 50 million pixels: a large phone photo passes, a picture made to exhaust memory does not. */
const MOST_PIXELS = 50_000_000;
const LONGEST_DECODING_S = 30;
/** Pixels of the longer side that a picture bucket keeps: sharp on any screen, far below what a camera makes. */
const LONGEST_SIDE = 2048;
const RASTER = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);

/** The type the bytes have, by their signature; undefined for text and everything unknown. */
async function sniff(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head);
  // An animated PNG is a PNG to every program that reads it.
  return found?.mime === "image/apng" ? "image/png" : found?.mime;
}

/** Bytes at the start of a PDF in which a browser would look for markup. */
const MARKUP_BYTES = 1024;
const MARKUP = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)[\s>/]/i;

/**
 * True for bytes that begin and end as a PDF does and are nothing else beside: the signature in the first byte, the
 * end mark with only space behind it, and no markup where a browser would look for it. Looks at 5 KB at most.
 */
function isPdf({ head, tail }: Pick<Staged, "head" | "tail">): boolean {
  if (!/^%PDF-[12]\.\d/.test(head.toString("latin1", 0, 8))) return false;
  if (MARKUP.test(head.toString("latin1", 0, MARKUP_BYTES))) return false;
  return /%%EOF[\s\0]*$/.test(tail.toString("latin1"));
}

/**
 * The type a file is stored with. A claim to be an image or a PDF has to be true; which image it is, the bytes decide.
 * @throws {StorageFault} InvalidMimeType
 */
export async function trueType(
  { head, tail }: Pick<Staged, "head" | "tail">,
  claim: string,
): Promise<string> {
  const claimed = bareType(claim);
  if (claimed === "application/pdf" && !isPdf({ head, tail })) throw fault.invalidMimeType(claim);
  if (!claimed.startsWith("image/")) return claim;
  const found = await sniff(head);
  if (claimed === "image/svg+xml") {
    const isMarkup = found === undefined || found === "application/xml" || found === claimed;
    const text = Buffer.from(head).toString("utf8").toLowerCase();
    if (isMarkup && text.includes("<svg") && !text.includes("<html")) return claimed;
    throw fault.invalidMimeType(claim);
  }
  if (found === undefined || !found.startsWith("image/") || found === "image/svg+xml") {
    throw fault.invalidMimeType(claim);
  }
  return found;
}

function encoder(path: string, type: string, longestSide: number | undefined): Sharp {
  const animated = type === "image/gif" || type === "image/webp";
  const image = sharp(path, {
    limitInputPixels: MOST_PIXELS,
    failOn: "error",
    animated,
  }).timeout({ seconds: LONGEST_DECODING_S });
  // The orientation lives in the metadata that is dropped, so it is applied to the pixels first.
  const upright = animated ? image : image.rotate();
  const fitting =
    longestSide === undefined
      ? upright
      : upright.resize(longestSide, longestSide, { fit: "inside", withoutEnlargement: true });
  if (type === "image/jpeg") return fitting.jpeg({ quality: 88 });
  if (type === "image/webp") return fitting.webp({ quality: 88 });
  if (type === "image/gif") return fitting.gif();
  return fitting.png();
}

/** True for a public bucket that takes pictures and nothing else. */
function isPictureBucket(patterns: readonly string[] | null): boolean {
  return (patterns?.length ?? 0) > 0 && patterns?.every(isImageType) === true;
}

function isImageType(pattern: string): boolean {
  return bareType(pattern).startsWith("image/");
}

/**
 * For a public bucket: pictures are decoded and written anew, so that nothing but pixels is ever handed out –
 * no place and camera of a photo, no page or program hidden in or behind it.
 * A bucket for pictures alone also makes large ones smaller and takes nothing that could not be decoded; in other
 * buckets files of other types are passed through as they are.
 * @param patterns the types the bucket takes.
 * @returns the file to keep; `staged` itself is gone when it was replaced.
 * @throws {StorageFault} when the picture cannot be decoded.
 */
export async function cleanPublicPicture(
  staging: Staging,
  staged: Staged,
  patterns: readonly string[] | null,
): Promise<Staged> {
  const onlyPictures = isPictureBucket(patterns);
  const type = await sniff(staged.head);
  if (type === undefined || !RASTER.has(type)) {
    if (onlyPictures) throw fault.invalidMimeType(type ?? "unknown");
    return staged;
  }
  const path = await staging.newPath();
  try {
    await encoder(staged.path, type, onlyPictures ? LONGEST_SIDE : undefined).toFile(path);
  } catch {
    await staging.discard(path);
    throw fault.invalidRequest("The image could not be read");
  }
  await staging.discard(staged.path);
  return await staging.measure(path);
}
