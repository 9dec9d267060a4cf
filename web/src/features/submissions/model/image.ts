import { endingOf, type FileFacts } from "@/lib/file-type.ts";
import { redrawPicture } from "@/lib/redraw-picture.ts";
import { submissionStrings } from "../strings.ts";

/** Bytes. */
export const maxImageBytes = 5 * 1024 * 1024;
export const acceptedImages = ".jpg,.jpeg,.png,image/jpeg,image/png";
/** Pixels; larger pictures are made smaller before they travel. */
const longestSide = 1600;
const jpegQuality = 0.86;

const mimeOf = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png" } as const;

/** What is wrong with a chosen picture, null when it may be sent. */
export function imageError(file: FileFacts): string | null {
  if (endingOf(file, mimeOf) === null) return submissionStrings.wrongImage;
  return file.size > maxImageBytes ? submissionStrings.imageTooLarge : null;
}

/** `image/jpeg` or `image/png`, after the name. */
export function imageType(file: FileFacts): "image/jpeg" | "image/png" {
  return mimeOf[endingOf(file, mimeOf) ?? "jpg"];
}

/** `<uid>-<timestamp>.<ext>`, with the milliseconds of the upload. */
export function imageName(userId: string, timestamp: number, file: FileFacts): string {
  return `${userId}-${timestamp}.${endingOf(file, mimeOf) ?? "jpg"}`;
}

/**
 * The picture as it is sent: drawn anew, so that only its pixels travel.
 * @throws {UnreadableFile}
 */
export async function prepareImage(file: File): Promise<File> {
  return redrawPicture(file, imageType(file), {
    longestSide,
    quality: jpegQuality,
    mostBytes: maxImageBytes,
  });
}
