import { croppedJpeg } from "@/lib/reencode-image.ts";

/** Width divided by height, as on cards. */
export const coverRatio = 16 / 9;
/** Pixels; the widest place shows a cover at 880, on dense screens nearly twice that. */
const longestSide = 1600;
const jpegQuality = 0.84;

/**
 * The part of a picture that a cover shows, as a JPEG.
 * @param position where it lies along the side that is cut, 0 to 1
 * @throws {UnreadableFileError}
 */
export async function prepareCover(file: File, position: number): Promise<File> {
  return await croppedJpeg(file, {
    longestSide,
    quality: jpegQuality,
    ratio: coverRatio,
    position,
  });
}
