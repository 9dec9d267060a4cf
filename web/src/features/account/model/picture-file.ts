import { extensionOf, type FileMetadata } from "@/lib/file-extension.ts";
import { squareJpeg } from "@/lib/reencode-image.ts";
import { pictureStrings } from "../strings.ts";

/** Bytes of the chosen file; what is sent is far smaller. */
const maxChosenBytes = 20 * 1024 * 1024;
export const acceptedPictures = ".jpg,.jpeg,.png,.webp,image/jpeg,image/png,image/webp";
/** Pixels; the largest place shows a picture at 64, on dense screens three times that. */
const longestSide = 512;
const jpegQuality = 0.86;

const mimeOf = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
} as const;

/** What is wrong with a chosen picture, null when it may be used. */
export function pictureError(file: FileMetadata): string | null {
  if (extensionOf(file, mimeOf) === null) return pictureStrings.wrongKind;
  return file.size > maxChosenBytes ? pictureStrings.tooLarge : null;
}

/**
 * The square in the middle, as a small JPEG.
 * @throws {UnreadableFileError}
 */
export async function preparePicture(file: File): Promise<File> {
  return squareJpeg(file, { longestSide, quality: jpegQuality });
}

/** `<uid>-<timestamp>.jpg`, with the milliseconds of the upload. */
export function pictureName(userId: string, timestamp: number): string {
  return `${userId}-${timestamp}.jpg`;
}
