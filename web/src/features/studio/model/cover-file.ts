import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
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

/** Why a cover was not uploaded. */
export function explainCoverError(error: unknown): string {
  const { status, message } = toAppError(error);
  // The storage names the meaning of nearly every error in its body.
  switch (String(Reflect.get(Object(error), "statusCode") ?? status)) {
    case "400":
      // The sentences of the database about its limits.
      return message;
    case "403":
      return "Only mentors with an active membership can upload pictures.";
    case "413":
      return "The picture is too large. Choose a smaller one.";
    case "415":
      return "We couldn't read this picture. Choose another one.";
    default:
      return retryLaterMessage(error) ?? `The picture wasn't uploaded. ${tryAgain}`;
  }
}
