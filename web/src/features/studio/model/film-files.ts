import { captionsError } from "@/domain/captions.ts";

export const acceptedFilms = ".mp4,.webm,video/mp4,video/webm";
export const acceptedCaptions = ".vtt,text/vtt";

export interface FilmType {
  readonly extension: "mp4" | "webm";
  readonly contentType: "video/mp4" | "video/webm";
}

/** Parts of an MP4 that are looked at. */
const maxBoxes = 500;

async function textOf(file: Blob, start: number, length: number): Promise<string> {
  const bytes = new Uint8Array(await file.slice(start, start + length).arrayBuffer());
  return String.fromCharCode(...bytes);
}

/** True when the file consists of the boxes of an MP4, with a description and pictures. QuickTime's own kind is none. */
async function isMp4(file: Blob): Promise<boolean> {
  const found = new Set<string>();
  for (let at = 0, count = 0; at < file.size && count < maxBoxes; count += 1) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const type = await textOf(file, at + 4, 4);
    if (at === 0 && (type !== "ftyp" || (await textOf(file, 8, 2)) === "qt")) return false;
    const short = head.byteLength < 8 ? 1 : head.getUint32(0);
    const isLong = short === 1 && head.byteLength === 16;
    // 0 means up to the end.
    const length = isLong ? Number(head.getBigUint64(8)) : short || file.size - at;
    if (length < 8 || at + length > file.size) return false;
    found.add(type);
    if (found.has("moov") && found.has("mdat")) return true;
    at += length;
  }
  return false;
}

/** True for the head of a WebM, which names its kind, and the mark of what follows. */
async function isWebm(file: Blob): Promise<boolean> {
  const head = await textOf(file, 0, 4096);
  const kind = head.indexOf("webm");
  return head.startsWith("\u001aEß£") && kind > 0 && head.includes("\u0018S\u0080g", kind);
}

/**
 * What a film is by its bytes, whatever it is called; null for other files. The storage looks at its tracks, too, but only once
 * it has arrived.
 */
export async function filmTypeOf(file: Blob): Promise<FilmType | null> {
  if (await isWebm(file)) return { extension: "webm", contentType: "video/webm" };
  return (await isMp4(file)) ? { extension: "mp4", contentType: "video/mp4" } : null;
}

/** Why a file cannot be uploaded as captions, as a sentence; null when it can. */
export async function captionsFileError(file: File): Promise<string | null> {
  return captionsError(new Uint8Array(await file.arrayBuffer()));
}
