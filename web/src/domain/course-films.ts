/** The private bucket of uploaded films. The captions of a film have its name and end in `.vtt`. */
export const filmBucket = "course-films";
export const maxFilmBytes = 50 * 1024 * 1024;

const pathOfBucket = `/storage/v1/object/authenticated/${filmBucket}/`;

/** The address by which a lesson names an uploaded film. It has no origin, so that it stays right when the server moves. */
export function filmAddress(film: string): string {
  return `${pathOfBucket}${film}`;
}

export interface UploadedFilm {
  /** Name of the film in the bucket. */
  readonly film: string;
  readonly captions: string;
}

/** The uploaded film that an address of a lesson names; null for other addresses. */
export function uploadedFilm(address: string | null): UploadedFilm | null {
  if (address?.startsWith(pathOfBucket) !== true) return null;
  const film = address.slice(pathOfBucket.length);
  if (!/^[0-9a-f-]{36}-\d{1,20}\.(?:mp4|webm)$/.test(film)) return null;
  return { film, captions: film.replace(/\.\w+$/, ".vtt") };
}
