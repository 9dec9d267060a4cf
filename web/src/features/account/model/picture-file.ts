import { croppedJpeg } from "@/lib/reencode-image.ts";

/** Pixels; the largest place shows a picture at 64, on dense screens three times that. */
const longestSide = 512;
const jpegQuality = 0.86;

/**
 * The square in the middle, as a small JPEG.
 * @throws {UnreadableFileError}
 */
export async function preparePicture(file: File): Promise<File> {
  return await croppedJpeg(file, { longestSide, quality: jpegQuality, ratio: 1, position: 0.5 });
}

/** `<uid>-<timestamp>.jpg`, with the milliseconds of the upload. */
export function pictureName(userId: string, timestamp: number): string {
  return `${userId}-${timestamp}.jpg`;
}
