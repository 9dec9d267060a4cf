import { filmAddress, filmBucket, type UploadedFilm } from "@/domain/course-films.ts";
import type { Backend } from "@/lib/backend.tsx";
import { filmTypeOf } from "../model/film-files.ts";
import { partBytes } from "../model/film-parts.ts";
import { UploadError, type UploadOptions } from "./upload-error.ts";

/**
 * Stores a film with its captions and answers with its address for the lesson. Captions come first, since a film is worth
 * nothing without them. Throws the storage's error, or an `AbortError` when it was cancelled.
 */
export async function storeFilm(
  backend: Backend,
  userId: string,
  files: { readonly film: File; readonly captions: File },
  options: UploadOptions,
): Promise<string> {
  const type = await filmTypeOf(files.film);
  if (type === null) throw new UploadError(415, "InvalidMimeType", "");
  const stem = `${userId}-${Date.now()}`;
  const film = `${stem}.${type.extension}`;
  if (files.film.size > partBytes) {
    const { FilmInParts } = await import("./film-in-parts.ts");
    const parts = await FilmInParts.open(backend, userId, { ...files, name: film, ...type });
    // Those of an upload that is gone on with are there already.
    if (!parts.isBegun) await sendCaptions(backend, `${stem}.vtt`, files.captions, options.signal);
    await parts.send(options);
    return filmAddress(parts.name);
  }
  await sendCaptions(backend, `${stem}.vtt`, files.captions, options.signal);
  await send(backend, film, files.film, type.contentType, options);
  return filmAddress(film);
}

/**
 * Gives an uploaded film other captions. Stored files are never changed, so the storage copies the film under a new name.
 * Answers with the new address.
 */
export async function replaceCaptions(
  backend: Backend,
  userId: string,
  { film }: UploadedFilm,
  captions: File,
  signal: AbortSignal,
): Promise<string> {
  const stem = `${userId}-${Date.now()}`;
  const copy = `${stem}${film.slice(film.lastIndexOf("."))}`;
  await sendCaptions(backend, `${stem}.vtt`, captions, signal);
  const { error } = await backend.client.storage.from(filmBucket).copy(film, copy);
  if (error) throw error;
  return filmAddress(copy);
}

async function sendCaptions(
  backend: Backend,
  name: string,
  captions: File,
  signal: AbortSignal,
): Promise<void> {
  await send(backend, name, captions, "text/vtt", { signal, onProgress: () => undefined });
}

/** Sends a file to the bucket. Only XMLHttpRequest tells how much of a body has been sent. */
async function send(
  { client, config }: Backend,
  name: string,
  file: Blob,
  contentType: string,
  { signal, onProgress }: UploadOptions,
): Promise<void> {
  const { data } = await client.auth.getSession();
  const token = data.session?.access_token;
  if (config.backend === null || token === undefined) throw new UploadError(0, "", "");
  const { supabaseUrl, supabaseAnonKey } = config.backend;
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `${supabaseUrl}/storage/v1/object/${filmBucket}/${name}`);
    request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("apikey", supabaseAnonKey);
    request.setRequestHeader("content-type", contentType);
    request.setRequestHeader("cache-control", "max-age=3600");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener("load", () => {
      if (request.status < 300) resolve();
      else reject(errorOf(request));
    });
    request.addEventListener("error", () => reject(new UploadError(0, "", "")));
    request.addEventListener("abort", () => reject(new DOMException("Cancelled", "AbortError")));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function errorOf({ status, responseText }: XMLHttpRequest): UploadError {
  try {
    const body: unknown = JSON.parse(responseText);
    const { code = "", message = "" } = body as { code?: string; message?: string };
    return new UploadError(status, code, message);
  } catch {
    return new UploadError(status, "", "");
  }
}
