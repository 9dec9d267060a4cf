// Image transformations (size, fit, quality, format): parses their options and applies them with sharp.

import type { Metadata, Sharp } from "sharp";
import { z } from "zod";
import { storageErrors } from "./storage-errors.ts";

/** Longest side of a transformed image, in pixels. Larger values are lowered to it, as on hosted Supabase. */
const maxSidePixels = 2000;
const defaultQuality = 80;

const side = z.coerce.number().int().min(0).optional();

/** What an image is transformed to, as in the query of `/render/image/…` and the body of `createSignedUrl`. */
export const imageTransform = z.object({
  width: side,
  height: side,
  resize: z.enum(["cover", "contain", "fill"]).optional(),
  quality: z.coerce.number().int().min(20).max(100).optional(),
  format: z.enum(["origin", "webp"]).optional(),
});

export type ImageTransform = z.output<typeof imageTransform>;

const resizingTypes = { cover: "fill", contain: "fit", fill: "force" } as const;
const resizes = { fill: "cover", fit: "contain", force: "fill" } as const;

const bounded = (pixels: number | undefined) =>
  pixels === undefined || pixels === 0 ? undefined : Math.min(pixels, maxSidePixels);

/**
 * The transform as text, such as `height:200,width:200,resizing_type:fill,quality:60`: hosted Supabase puts it into signed URLs and
 * the header `x-transformations`. Equal transforms give equal texts; empty for none.
 */
export function transformText(given: ImageTransform): string {
  const [height, width] = [bounded(given.height), bounded(given.width)];
  return [
    height !== undefined && `height:${height}`,
    width !== undefined && `width:${width}`,
    (height ?? width) !== undefined && `resizing_type:${resizingTypes[given.resize ?? "cover"]}`,
    given.quality !== undefined && `quality:${given.quality}`,
    given.format === "webp" && "format:webp",
    given.format === "origin" && "format:origin",
  ]
    .filter((part) => part !== false)
    .join(",");
}

/** The transform of a text of {@link transformText}. */
export function parseTransformText(text: string): ImageTransform {
  const parts = Object.fromEntries(
    text.split(",").map((part): [string, string] => {
      const [name = "", value = ""] = part.split(":");
      return [name, value];
    }),
  );
  const type = parts["resizing_type"];
  const resize = type === undefined ? undefined : resizes[type as keyof typeof resizes];
  return parseTransform({ ...parts, ...(resize && { resize }) });
}

/**
 * Checks a transform.
 * @throws {StorageError} InvalidRequest naming the first field that is wrong.
 */
export function parseTransform(given: unknown): ImageTransform {
  const parsed = imageTransform.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw storageErrors.invalidRequest(
    `querystring/${issue?.path.join("/") ?? ""} ${issue?.message ?? "invalid"}`,
  );
}

/** Types that are transformed; the others are refused. */
export const transformedTypes: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "image/webp",
  "image/gif",
]);

/** The type of the result: WebP for a client that accepts it, unless the original format was asked for. */
export function resultType(
  { format }: ImageTransform,
  original: string,
  accept: string | null,
): string {
  if (format === "webp") return "image/webp";
  return format !== "origin" && accept?.includes("image/webp") === true ? "image/webp" : original;
}

/** Applies the transform to a decoded image. Images are never made larger. */
export function applyTransform(
  image: Sharp,
  metadata: Metadata,
  given: ImageTransform,
  type: string,
): Sharp {
  const isAnimated = metadata.format === "gif" || metadata.format === "webp";
  // The metadata with the orientation is dropped, so the orientation is applied to the pixels first.
  const upright = isAnimated ? image : image.rotate();
  const [width, height] = [bounded(given.width), bounded(given.height)];
  const fits = { cover: "cover", contain: "inside", fill: "fill" } as const;
  const isSized = (width ?? height) !== undefined;
  const sized = upright.resize({
    width: isSized ? width : maxSidePixels,
    height: isSized ? height : maxSidePixels,
    fit: isSized ? fits[given.resize ?? "cover"] : "inside",
    withoutEnlargement: true,
  });
  const quality = given.quality ?? defaultQuality;
  if (type === "image/webp") return sized.webp({ quality });
  if (type === "image/jpeg") return sized.jpeg({ quality });
  if (type === "image/gif") return sized.gif();
  return sized.png();
}
