import { filmBucket, type UploadedFilm } from "@/domain/course-films.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

const linkSeconds = 3600;

export interface FilmLinks {
  readonly src: string;
  readonly captions: string;
}

/** Signs links to an uploaded film and its captions. Throws the storage's error, also when the caller may not see them. */
export async function fetchFilmLinks(
  client: BackendClient,
  { film, captions }: UploadedFilm,
): Promise<FilmLinks> {
  const bucket = client.storage.from(filmBucket);
  const { data, error } = await bucket.createSignedUrls([film, captions], linkSeconds);
  if (error) throw error;
  const [src, text] = data.map((link) => link.signedUrl);
  if (!src || !text) throw new Error(data.find((link) => link.error)?.error ?? "No film");
  return { src, captions: text };
}
