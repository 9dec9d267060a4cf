import { extensionOf, type FileMetadata } from "@/lib/file-extension.ts";
import { maxSentPictureBytes } from "@/lib/picture-file.ts";
import { reencodeImage } from "@/lib/reencode-image.ts";

export const acceptedImages = ".jpg,.jpeg,.png,image/jpeg,image/png";
/** Pixels; larger pictures are made smaller before they travel. */
const longestSide = 1600;
const jpegQuality = 0.86;

const mimeOf = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png" } as const;

/** Why a chosen picture cannot be sent. */
export type ImageFileIssue = "wrongImage" | "imageTooLarge";

/** What is wrong with a chosen picture, null when it may be sent. */
export function imageFileIssue(file: FileMetadata): ImageFileIssue | null {
  if (extensionOf(file, mimeOf) === null) return "wrongImage";
  return file.size > maxSentPictureBytes ? "imageTooLarge" : null;
}

/** `image/jpeg` or `image/png`, after the name. */
export function imageType(file: FileMetadata): "image/jpeg" | "image/png" {
  return mimeOf[extensionOf(file, mimeOf) ?? "jpg"];
}

/** `<uid>-<timestamp>.<ext>`, with the milliseconds of the upload. */
export function imageName(userId: string, timestamp: number, file: FileMetadata): string {
  return `${userId}-${timestamp}.${extensionOf(file, mimeOf) ?? "jpg"}`;
}

/**
 * Re-encodes the image, so that metadata such as the location is not sent.
 * @throws {UnreadableFileError}
 */
export async function prepareImage(file: File): Promise<File> {
  return reencodeImage(file, imageType(file), {
    longestSide,
    quality: jpegQuality,
    maxBytes: maxSentPictureBytes,
  });
}
