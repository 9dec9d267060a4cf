import { maxFilmBytes } from "@/domain/course-films.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { filmTypeOf } from "../model/film-files.ts";
import { filmTexts } from "../strings/modules.ts";

/** Why a file cannot be uploaded as a film, as a sentence; null when it can. */
export async function filmFileError(file: File): Promise<string | null> {
  if ((await filmTypeOf(file)) === null) return filmTexts.wrongKind;
  if (file.size > maxFilmBytes) {
    return filmTexts.tooLarge;
  }
  return null;
}

/** Why a film was not uploaded. */
export function explainFilmError(error: unknown): string {
  const { code, status, message } = toAppError(error);
  if (status === 408) return filmTexts.tooSlow;
  switch (code) {
    case "EntityTooLarge":
      return filmTexts.tooLarge;
    case "InvalidMimeType":
      return filmTexts.wrongKind;
    case "AccessDenied":
      return filmTexts.mentorsOnly;
    // The sentences of the database about its limits.
    case "InvalidRequest":
      return message;
    default:
      return `${filmTexts.failed} ${retryLaterMessage(error) ?? tryAgain}`;
  }
}
