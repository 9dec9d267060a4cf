// Inspects and cleans uploaded files: detects their real type, re-encodes images and trims PDFs.

import { createReadStream } from "node:fs";
import { fileTypeFromBuffer } from "file-type";
import type { Sharp } from "sharp";
import { storageErrors } from "./storage-errors.ts";
import { normaliseType } from "./bucket-limits.ts";
import { playableFilmType } from "./film-content.ts";
import { decodeImage, type DecodeQueue } from "./image-decoder.ts";
import { pdfPartOf } from "./pdf-content.ts";
import type { StagedFile, StagingArea } from "./staging-area.ts";

/** Longer side of pictures in an image-only bucket; larger ones are scaled down. */
const maxSidePixels = 2048;
const rasterTypes = new Set(["image/jpeg", "image/png", "image/webp", "image/gif"]);

/** The type by the file's signature; undefined for text and unknown formats. */
export async function detectType(head: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(head);
  // An animated PNG is served as a PNG.
  return found?.mime === "image/apng" ? "image/png" : found?.mime;
}

/** The types of films that browsers play, whose tracks are looked at. */
const filmTypes = new Set(["video/mp4", "video/webm"]);

/** The type of a file that is claimed to be a film; undefined when it is none. */
async function detectFilmType(
  { head, path }: Pick<StagedFile, "head" | "path">,
  claimed: string,
): Promise<string | undefined> {
  if (filmTypes.has(claimed)) return await playableFilmType(path);
  const found = await detectType(head);
  return found?.startsWith("video/") === true ? claimed : undefined;
}

/**
 * The type a file is stored with. A file claimed to be an image, a film or a PDF must be one; for images, and for films in MP4
 * or WebM, the type is detected from the bytes.
 * @throws {StorageError} InvalidMimeType
 */
export async function verifiedContentType(
  staged: Pick<StagedFile, "head" | "tail" | "size" | "path">,
  claim: string,
): Promise<string> {
  const claimed = normaliseType(claim);
  if (claimed === "application/pdf" && pdfPartOf(staged) === undefined)
    throw storageErrors.invalidMimeType(claim);
  if (claimed.startsWith("video/")) {
    const film = await detectFilmType(staged, claimed);
    if (film === undefined) throw storageErrors.invalidMimeType(claim);
    return film === claimed ? claim : film;
  }
  if (!claimed.startsWith("image/")) return claim;
  const { head } = staged;
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

function encoded(image: Sharp, type: string, longestSide: number | undefined): Sharp {
  const animated = type === "image/gif" || type === "image/webp";
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
 * @param account whose images take turns with those of others.
 * @param patterns the types the bucket accepts.
 * @returns the file to store; `staged` is deleted when it was replaced.
 * @throws {StorageError} when the picture cannot be decoded.
 */
export async function reencodeStagedImage(
  { staging, decodeQueue }: { staging: StagingArea; decodeQueue: DecodeQueue },
  staged: StagedFile,
  account: string | undefined,
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
    await decodeImage(decodeQueue, account, staged.path, path, (image) =>
      encoded(image, type, imagesOnly ? maxSidePixels : undefined),
    );
  } catch (error) {
    await staging.discard(path);
    throw error;
  }
  await staging.discard(staged.path);
  return await staging.measure(path);
}

/**
 * Cuts away what stands before the header and after the end mark of a PDF.
 * @returns the file to store; `staged` is deleted when it was replaced.
 */
export async function trimStagedPdf(staging: StagingArea, staged: StagedFile): Promise<StagedFile> {
  const part = pdfPartOf(staged);
  if (part === undefined || (part.start === 0 && part.end === staged.size)) return staged;
  const bytes = createReadStream(staged.path, { start: part.start, end: part.end - 1 });
  const trimmed = await staging.receive(bytes as AsyncIterable<Uint8Array>, staged.size);
  await staging.discard(staged.path);
  return trimmed;
}
