// Errors of the storage API in the format of hosted Supabase, and how errors of Postgres map to them.

import { sqlStates } from "../postgres/sql-states.ts";

/** Error body of hosted Supabase Storage. `statusCode` is the real status; the HTTP status is 400 for nearly all errors. */
export interface StorageErrorBody {
  statusCode: string;
  error: string;
  code: string;
  message: string;
}

/** An error whose code and message are sent to the client. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  /** Meaning of the error as an HTTP status; sent in the body as text. */
  readonly status: number;
  readonly code: string;
  readonly label: string;
  /** Seconds after which the client may try again; sent as `Retry-After`. */
  retryAfterS?: number;

  constructor(status: number, code: string, message: string, label = code) {
    super(message);
    this.status = status;
    this.code = code;
    this.label = label;
  }

  /** Status on the wire. The official clients expect 400 for every client error but too many requests. */
  get httpStatus(): number {
    return this.status >= 500 || this.status === 429 ? this.status : 400;
  }

  get body(): StorageErrorBody {
    return {
      statusCode: String(this.status),
      error: this.label,
      code: this.code,
      message: this.message,
    };
  }
}

export const storageErrors = {
  noSuchBucket: () => new StorageError(404, "NoSuchBucket", "Bucket not found", "Bucket not found"),
  noSuchKey: () => new StorageError(404, "NoSuchKey", "Object not found", "not_found"),
  noSuchRoute: () => new StorageError(404, "InvalidRequest", "Route not found", "Not Found"),
  relatedMissing: () =>
    new StorageError(404, "NoSuchKey", "The related resource does not exist", "not_found"),
  exists: () =>
    new StorageError(409, "ResourceAlreadyExists", "The resource already exists", "Duplicate"),
  notEmpty: () =>
    new StorageError(
      409,
      "ResourceNotEmpty",
      "The bucket you tried to delete is not empty",
      "ResourceNotEmpty",
    ),
  denied: (message = "new row violates row-level security policy") =>
    new StorageError(403, "AccessDenied", message, "Unauthorized"),
  invalidJwt: (message: string) => new StorageError(400, "InvalidJWT", message),
  invalidSignature: (message = "Invalid signature") =>
    new StorageError(400, "InvalidSignature", message),
  invalidKey: () => new StorageError(400, "InvalidKey", "Invalid key"),
  invalidBucketName: () =>
    new StorageError(400, "InvalidBucketName", "Bucket name invalid", "Invalid Input"),
  invalidRequest: (message: string) => new StorageError(400, "InvalidRequest", message),
  invalidMimeType: (type: string) =>
    new StorageError(
      415,
      "InvalidMimeType",
      `mime type ${type.slice(0, 100)} is not supported`,
      "invalid_mime_type",
    ),
  tooLarge: () =>
    new StorageError(
      413,
      "EntityTooLarge",
      "The object exceeded the maximum allowed size",
      "Payload too large",
    ),
  noContent: () => new StorageError(400, "InvalidRequest", "No content provided"),
  /** As hosted projects answer a request with neither token nor key. */
  noAuthorization: () => new StorageError(400, "InvalidRequest", "Invalid Compact JWS", "Error"),
  slowDown: (status: 429 | 503, retryAfterS: number) => {
    const message = "Too many images are being processed. Please try again in a moment.";
    return Object.assign(new StorageError(status, "SlowDown", message), { retryAfterS });
  },
  /** What is unfinished of the account, or of all together, is as much as may be. */
  tooManyUploads: () =>
    new StorageError(
      429,
      "TooManyUploads",
      "Too many uploads are unfinished. Finish or cancel one, or try again tomorrow.",
    ),
  timeout: () =>
    new StorageError(544, "DatabaseTimeout", "The connection to the database timed out"),
  /** The server that keeps the bytes is away. @param cause what it or the network said, for the log */
  storeAway: (cause: unknown) => {
    const message = "The files can't be reached right now. Please try again in a moment.";
    return Object.assign(new StorageError(503, "S3Error", message), { retryAfterS: 5, cause });
  },
  locked: () => new StorageError(423, "ResourceLocked", "The resource is locked"),
};

/** The storage error for an error of Postgres, without details the caller may not see; undefined for other errors. */
export function toStorageError(error: unknown): StorageError | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || code.length !== 5) return undefined;
  if (code === sqlStates.insufficientPrivilege) return storageErrors.denied();
  // set_config('role') with an unknown role: the token's role does not exist in this database.
  if (code === sqlStates.invalidParameterValue || code === sqlStates.invalidAuthorization)
    return storageErrors.denied("Access denied");
  if (code === sqlStates.uniqueViolation) return storageErrors.exists();
  if (code === sqlStates.foreignKeyViolation) return storageErrors.relatedMissing();
  if (code === sqlStates.queryCanceled) return storageErrors.timeout();
  if (code === sqlStates.lockNotAvailable) return storageErrors.locked();
  if (code.startsWith("22")) return storageErrors.invalidRequest("A value is not valid");
  // Messages raised by a project's own triggers are meant for the client.
  if (code === sqlStates.raiseException || code.startsWith("23")) {
    return storageErrors.invalidRequest(
      code === sqlStates.raiseException ? (error as Error).message : "A check failed",
    );
  }
  return undefined;
}
