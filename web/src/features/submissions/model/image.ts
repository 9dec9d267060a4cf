import { endingOf, type FileFacts } from "@/lib/file-type.ts";
import { submissionMessages } from "../messages.ts";

/** Bytes. */
export const maximumImageSize = 5 * 1024 * 1024;
export const acceptedImages = ".jpg,.jpeg,.png,image/jpeg,image/png";
/** Pixels; larger pictures are made smaller before they travel. */
export const longestSide = 1600;

const mimeOf = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png" } as const;

/** What is wrong with a chosen picture, null when it may be sent. */
export function imageFault(file: FileFacts): string | null {
  if (endingOf(file, mimeOf) === null) return submissionMessages.wrongImage;
  return file.size > maximumImageSize ? submissionMessages.imageTooLarge : null;
}

/** `image/jpeg` or `image/png`, after the name. */
export function imageType(file: FileFacts): string {
  return mimeOf[endingOf(file, mimeOf) ?? "jpg"];
}

/** `<uid>-<timestamp>.<ext>`, with the milliseconds of the upload. */
export function imageName(userId: string, timestamp: number, file: FileFacts): string {
  return `${userId}-${timestamp}.${endingOf(file, mimeOf) ?? "jpg"}`;
}

/** The size in which a picture travels, in whole pixels, keeping its proportions. */
export function fittedSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}
