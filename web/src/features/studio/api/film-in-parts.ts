import { DetailedError, Upload, type PreviousUpload } from "tus-js-client";
import { filmBucket } from "@/domain/course-films.ts";
import type { Backend } from "@/lib/backend.tsx";
import {
  codeOfStatus,
  filmFingerprint,
  keptForMs,
  mayBeSentAgain,
  partBytes,
  retryDelaysMs,
} from "../model/film-parts.ts";
import { discarded, UploadError, type UploadOptions } from "./upload-error.ts";

interface FilmFiles {
  readonly film: File;
  readonly captions: File;
  /** Name of the film in its bucket, unless an upload of it was begun. */
  readonly name: string;
  readonly contentType: string;
}

/** The film's name in an upload that was begun and is still kept. */
function keptName({ creationTime, metadata }: PreviousUpload): string | undefined {
  return Date.now() - Date.parse(creationTime) < keptForMs ? metadata["objectName"] : undefined;
}

function toUploadError(error: Error): Error {
  if (!(error instanceof DetailedError)) return error;
  const status = error.originalResponse?.getStatus() ?? 0;
  return new UploadError(status, codeOfStatus(status), error.originalResponse?.getBody() ?? "");
}

/** A film that is sent in parts (TUS). It goes on by itself after a lost connection, and after a reload with the same two files. */
export class FilmInParts {
  readonly name: string;
  readonly #backend: Backend;
  readonly #files: FilmFiles;
  readonly #fingerprint: string;
  readonly #previous: PreviousUpload | undefined;

  private constructor(
    backend: Backend,
    files: FilmFiles,
    fingerprint: string,
    previous: PreviousUpload | undefined,
  ) {
    this.#backend = backend;
    this.#files = files;
    this.#fingerprint = fingerprint;
    this.#previous = previous;
    this.name = (previous && keptName(previous)) ?? files.name;
  }

  /** Looks whether an upload of these two files was begun within a day in this browser. */
  static async open(backend: Backend, userId: string, files: FilmFiles): Promise<FilmInParts> {
    const fingerprint = filmFingerprint(userId, [files.film, files.captions]);
    const known = await new Upload(files.film, {
      fingerprint: () => Promise.resolve(fingerprint),
    }).findPreviousUploads();
    const previous = known
      .filter((upload) => keptName(upload) !== undefined)
      .toSorted((a, b) => Date.parse(b.creationTime) - Date.parse(a.creationTime))[0];
    return new FilmInParts(backend, files, fingerprint, previous);
  }

  /** Whether a part of it is in the storage, and its captions with it. */
  get isBegun(): boolean {
    return this.#previous !== undefined;
  }

  /** Throws {@link UploadError}, or an `AbortError` when it was cancelled; then what was sent is discarded, else kept for a day. */
  async send({ signal, onProgress }: UploadOptions): Promise<void> {
    const { client, config } = this.#backend;
    if (config.backend === null) throw new UploadError(0, "", "");
    const { supabaseUrl, supabaseAnonKey } = config.backend;
    const { film, contentType } = this.#files;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(film, {
        endpoint: `${supabaseUrl}/storage/v1/upload/resumable`,
        chunkSize: partBytes,
        retryDelays: [...retryDelaysMs],
        fingerprint: () => Promise.resolve(this.#fingerprint),
        removeFingerprintOnSuccess: true,
        metadata: {
          bucketName: filmBucket,
          objectName: this.name,
          contentType,
          cacheControl: "3600",
        },
        // A long upload outlives an access token.
        onBeforeRequest: async (request) => {
          const { data } = await client.auth.getSession();
          request.setHeader("authorization", `Bearer ${data.session?.access_token ?? ""}`);
          request.setHeader("apikey", supabaseAnonKey);
        },
        onShouldRetry: (error) =>
          mayBeSentAgain(
            error.originalRequest.getMethod(),
            error.originalResponse?.getStatus() ?? 0,
          ),
        onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 0),
        onSuccess: () => resolve(),
        onError: (error) => reject(toUploadError(error)),
      });
      const onAbort = () => {
        reject(new DOMException("Cancelled", "AbortError"));
        void upload.abort(signal.reason === discarded).catch(() => undefined);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      if (this.#previous) upload.resumeFromPreviousUpload(this.#previous);
      upload.start();
    });
  }
}
