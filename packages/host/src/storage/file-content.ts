import { fileTypeFromBuffer } from "file-type";
import sharp, { type Sharp } from "sharp";
import { storageErrors } from "./storage-errors.ts";
import { normaliseType } from "./bucket-limits.ts";
import type { StagedFile, StagingArea } from "./staging-area.ts";

/** Enough for a large phone photo; protects against decompression bombs. */
const maxPixels = 50_000_000;
const decodeTimeoutS = 30;
/** Longer side of pictures in an image-only bucket; larger ones are scaled down. */
const maxSidePixels = 2048;
const rasterTypes = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);

/** The type by the file's signature; undefined for text and unknown formats. */
async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head);
  // An animated PNG is served as a PNG.
  return found?.mime === "image/apng" ? "image/png" : found?.mime;
}

/** Bytes at the start of a file in which browsers look for markup. */
const markupSearchBytes = 1024;
const markupPattern = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)[\s>/]/i;

/**
 * True for a PDF that is nothing else as well: the signature at the first byte, only white space after the end mark,
 * and no markup where a browser would look for it. Reads 5 KB at most.
 */
function isPdf({ head, tail }: Pick<StagedFile, "head" | "tail">): boolean {
  if (!/^%PDF-[12]\.\d/.test(head.toString("latin1", 0, 8))) return false;
  if (markupPattern.test(head.toString("latin1", 0, markupSearchBytes))) return false;
  return /%%EOF[\s\0]*$/.test(tail.toString("latin1"));
}

/**
 * The type a file is stored with. A file claimed to be an image or a PDF must be one; for images the type is detected
 * from the bytes.
 * @throws {StorageError} InvalidMimeType
 */
export async function verifiedContentType(
  { head, tail }: Pick<StagedFile, "head" | "tail">,
  claim: string,
): Promise<string> {
  const claimed = normaliseType(claim);
  if (claimed === "application/pdf" && !isPdf({ head, tail }))
    throw storageErrors.invalidMimeType(claim);
  if (!claimed.startsWith("image/")) return claim;
  const found = await detectType(head);
  if (claimed === "image/svg+xml") {
    const isMarkup = found === undefined || found === "application/xml" || found === claimed;
    const text = Buffer.from(head).toString("utf8").toLowerCase();
    if (isMarkup && text.includes("<svg") && !text.includes("<html")) return claimed;
    throw storageErrors.invalidMimeType(claim);
  }
  if (found === undefined || !found.startsWith("image/") || found === "image/svg+xml") {
    throw storageErrors.invalidMimeType(claim);
  }
  return found;
}

function encoder(path: string, type: string, longestSide: number | undefined): Sharp {
  const animated = type === "image/gif" || type === "image/webp";
  const image = sharp(path, {
    limitInputPixels: maxPixels,
    failOn: "error",
    animated,
  }).timeout({ seconds: decodeTimeoutS });
  // The metadata with the orientation is dropped, so the orientation is applied to the pixels first.
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

/** True for a bucket that accepts images only. */
export function isImageOnlyBucket(patterns: readonly string[] | null): boolean {
  return (patterns?.length ?? 0) > 0 && patterns?.every(isImageType) === true;
}

function isImageType(pattern: string): boolean {
  return normaliseType(pattern).startsWith("image/");
}

/**
 * Re-encodes images, which removes metadata (such as location and camera) and anything hidden in or behind the pixels. An image-only bucket also scales large images down and refuses files that cannot be decoded;
 * other buckets keep files of other types unchanged.
 * @param patterns the types the bucket accepts.
 * @returns the file to store; `staged` is deleted when it was replaced.
 * @throws {StorageError} when the picture cannot be decoded.
 */
export async function reencodeStagedImage(
  staging: StagingArea,
  staged: StagedFile,
  patterns: readonly string[] | null,
): Promise<StagedFile> {
  const imagesOnly = isImageOnlyBucket(patterns);
  const type = await detectType(staged.head);
  if (type === undefined || !rasterTypes.has(type)) {
    if (imagesOnly) throw storageErrors.invalidMimeType(type ?? "unknown");
    return staged;
  }
  const path = await staging.newPath();
  try {
    await encoder(staged.path, type, imagesOnly ? maxSidePixels : undefined).toFile(path);
  } catch {
    await staging.discard(path);
    throw storageErrors.invalidRequest("The image could not be read");
  }
  await staging.discard(staged.path);
  return await staging.measure(path);
}
