/** Bytes of a part. Larger films are sent in parts; hosted Supabase requires parts of exactly 6 MiB. */
export const partBytes = 6 * 1024 * 1024;
/** Milliseconds to wait before each retry of a part. After the last one the upload fails; the parts sent so far are kept. */
export const retryDelaysMs = [0, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000, 15_000];
/** The storage keeps an unfinished upload for a day, and captions without a film not longer. */
export const keptForMs = 23 * 60 * 60 * 1000;

type NamedFile = Pick<File, "name" | "size" | "lastModified">;

/** By this an upload is found again after a reload: the same two files of the same account. */
export function filmFingerprint(userId: string, files: readonly NamedFile[]): string {
  const each = files.map(({ name, size, lastModified }) => [name, size, lastModified]);
  return `film-${userId}-${JSON.stringify(each)}`;
}

/**
 * Whether a request may succeed when it is sent again.
 * @param status 0 when there was no answer
 */
export function mayBeSentAgain(method: string, status: number): boolean {
  if (status === 0 || status >= 500 || status === 423) return true;
  // The place to go on at was another one, which the next request asks for. At the beginning the name is taken.
  return status === 409 && method !== "POST";
}

/** The code by which the storage's other answers name a status of resumable uploads. */
export function codeOfStatus(status: number): string {
  const codes: Record<number, string> = {
    403: "AccessDenied",
    413: "EntityTooLarge",
    415: "InvalidMimeType",
  };
  return codes[status] ?? (status === 400 || status === 429 ? "InvalidRequest" : "");
}
