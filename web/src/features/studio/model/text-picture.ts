import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { extensionOf } from "@/lib/file-extension.ts";
import { redrawImage, UnreadableFileError, type RedrawnImage } from "@/lib/reencode-image.ts";
import { describeStudioError } from "./studio-errors.ts";

/** Pixels; a text is at most 680 wide, on dense screens twice that. */
const longestSide = 1600;
const jpegQuality = 0.84;
/** Bytes the bucket takes. A PNG that would be larger travels as a JPEG. */
const maxSentBytes = 5 * 1024 * 1024;

/**
 * A picture as it is put into a text: drawn anew and not too large, a PNG as a PNG.
 * @throws {UnreadableFileError}
 */
export async function prepareTextPicture(file: File): Promise<RedrawnImage> {
  const isPng = extensionOf(file, { png: "image/png" }) !== null;
  return await redrawImage(file, isPng ? "image/png" : "image/jpeg", {
    longestSide,
    quality: jpegQuality,
    maxBytes: maxSentBytes,
  });
}

/** The picture among pasted or dropped files; null when there is none, or words came with it. */
export function pictureIn(transfer: DataTransfer | null): File | null {
  // Word and Excel put a picture of the words beside them.
  if (transfer === null || transfer.getData("text/plain").trim() !== "") return null;
  return [...transfer.files].find(({ type }) => type.startsWith("image/")) ?? null;
}

/** Why a cover or a picture of a text was not uploaded. */
export function explainPictureError(error: unknown): string {
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

/** Why an article or a course, with its pictures, was not imported. */
export function explainImportError(error: unknown): string {
  if (error instanceof UnreadableFileError) {
    return "We couldn't read one of its pictures. Save it anew as JPG or PNG and choose the files again.";
  }
  const isOfStorage = Reflect.get(Object(error), "statusCode") !== undefined;
  return isOfStorage ? explainPictureError(error) : describeStudioError(error);
}
