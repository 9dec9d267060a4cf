import { extensionOf } from "@/lib/file-extension.ts";
import { maxSentPictureBytes } from "@/lib/picture-file.ts";
import { redrawImage, type RedrawnImage } from "@/lib/reencode-image.ts";
import { transferredFiles } from "@/lib/transferred-files.ts";

/** Pixels; a text is at most 680 wide, on dense screens twice that. */
const longestSide = 1600;
const jpegQuality = 0.84;

/**
 * A picture as it is put into a text: drawn anew and not too large, a PNG as a PNG.
 * @throws {UnreadableFileError}
 */
export async function prepareTextPicture(file: File): Promise<RedrawnImage> {
  const isPng = extensionOf(file, { png: "image/png" }) !== null;
  return await redrawImage(file, isPng ? "image/png" : "image/jpeg", {
    longestSide,
    quality: jpegQuality,
    // A PNG that would be larger travels as a JPEG.
    maxBytes: maxSentPictureBytes,
  });
}

/** The pictures among pasted or dropped files; none when words came with them. */
export function picturesIn(transfer: DataTransfer | null): readonly File[] {
  return transferredFiles(transfer).filter(({ type }) => type.startsWith("image/"));
}
