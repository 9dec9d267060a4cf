import { captionsError } from "@/domain/captions.ts";
import { maxFilmBytes } from "@/domain/course-films.ts";
import { toAppError, tryAgain } from "@/lib/errors.ts";
import { filmTexts } from "../strings/modules.ts";

export const acceptedFilms = ".mp4,.webm,video/mp4,video/webm";
export const acceptedCaptions = ".vtt,text/vtt";

export interface FilmType {
  readonly extension: "mp4" | "webm";
  readonly contentType: "video/mp4" | "video/webm";
}

/** What a film is by its first bytes, whatever it is called; null for other files. QuickTime's own kind is none. */
export async function filmTypeOf(file: Blob): Promise<FilmType | null> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  const text = String.fromCharCode(...head);
  if (text.startsWith("\u001aEß£")) return { extension: "webm", contentType: "video/webm" };
  if (text.slice(4, 8) !== "ftyp" || text.slice(8, 10) === "qt") return null;
  return { extension: "mp4", contentType: "video/mp4" };
}

/** Why a file cannot be uploaded as a film, as a sentence; null when it can. */
export async function filmFileError(file: File): Promise<string | null> {
  if ((await filmTypeOf(file)) === null) return filmTexts.wrongKind;
  if (file.size > maxFilmBytes) {
    return filmTexts.tooLarge;
  }
  return null;
}

/** Why a file cannot be uploaded as captions, as a sentence; null when it can. */
export async function captionsFileError(file: File): Promise<string | null> {
  return captionsError(new Uint8Array(await file.arrayBuffer()));
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
      return `${filmTexts.failed} ${tryAgain}`;
  }
}
