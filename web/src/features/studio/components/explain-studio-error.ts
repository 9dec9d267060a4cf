import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { unreadableFileText, UnreadableFileError } from "@/lib/reencode-image.ts";
import { pictureErrorTexts, studioErrorStrings, studioErrorTexts } from "../strings/errors.ts";

/** Why something in the studio was not done. */
export function describeStudioError(error: unknown): string {
  const { code, message } = toAppError(error);
  // The sentence of the database, which names the line.
  if (code === "FF660") return studioErrorStrings.tooMuchMarkdown(message);
  return (
    studioErrorTexts[code] ?? retryLaterMessage(error) ?? studioErrorStrings.notSaved(tryAgain)
  );
}

/** Why a cover or a picture of a text was not uploaded. */
export function explainContentPictureError(error: unknown): string {
  const { status, message } = toAppError(error);
  // The storage names the meaning of nearly every error in its body.
  const meaning = String(Reflect.get(Object(error), "statusCode") ?? status);
  // The sentences of the database about its limits.
  if (meaning === "400") return message;
  return (
    pictureErrorTexts[meaning] ??
    retryLaterMessage(error) ??
    studioErrorStrings.pictureNotUploaded(tryAgain)
  );
}

/** Why an article or a course, with its pictures, was not imported. */
export function explainImportError(error: unknown): string {
  if (error instanceof UnreadableFileError) {
    const advice = unreadableFileText(error, studioErrorStrings.importPictureUnreadable);
    return error.path === null ? advice : studioErrorStrings.ofPicture(error.path, advice);
  }
  const isOfStorage = Reflect.get(Object(error), "statusCode") !== undefined;
  return isOfStorage ? explainContentPictureError(error) : describeStudioError(error);
}
