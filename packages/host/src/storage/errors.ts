/** What hosted Supabase's storage answers with: `statusCode` is the truth, the HTTP status is 400 for nearly all of them. */
export interface FaultBody {
  statusCode: string;
  error: string;
  code: string;
  message: string;
}

/** A refusal the caller may read. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";
  /** What the fault means as an HTTP status; goes into the body as text. */
  readonly status: number;
  readonly code: string;
  readonly label: string;

  constructor(status: number, code: string, message: string, label = code) {
    super(message);
    this.status = status;
    this.code = code;
    this.label = label;
  }

  /** Status on the wire: the clients of this protocol expect 400 for every fault of theirs. */
  get httpStatus(): number {
    return this.status >= 500 ? this.status : 400;
  }

  get body(): FaultBody {
    return {
      statusCode: String(this.status),
      error: this.label,
      code: this.code,
      message: this.message,
    };
  }
}

export const fault = {
  noSuchBucket: () => new StorageFault(404, "NoSuchBucket", "Bucket not found", "Bucket not found"),
  noSuchKey: () => new StorageFault(404, "NoSuchKey", "Object not found", "not_found"),
  noSuchRoute: () => new StorageFault(404, "InvalidRequest", "Route not found", "Not Found"),
  relatedMissing: () =>
    new StorageFault(404, "NoSuchKey", "The related resource does not exist", "not_found"),
  exists: () =>
    new StorageFault(409, "ResourceAlreadyExists", "The resource already exists", "Duplicate"),
  notEmpty: () =>
    new StorageFault(
      409,
      "ResourceNotEmpty",
      "The bucket you tried to delete is not empty",
      "ResourceNotEmpty",
    ),
  denied: (message = "new row violates row-level security policy") =>
    new StorageFault(403, "AccessDenied", message, "Unauthorized"),
  invalidJwt: (message: string) => new StorageFault(400, "InvalidJWT", message),
  invalidSignature: (message = "Invalid signature") =>
    new StorageFault(400, "InvalidSignature", message),
  invalidKey: () => new StorageFault(400, "InvalidKey", "Invalid key"),
  invalidBucketName: () =>
    new StorageFault(400, "InvalidBucketName", "Bucket name invalid", "Invalid Input"),
  invalidRequest: (message: string) => new StorageFault(400, "InvalidRequest", message),
  invalidMimeType: (type: string) =>
    new StorageFault(
      415,
      "InvalidMimeType",
      `mime type ${type.slice(0, 100)} is not supported`,
      "invalid_mime_type",
    ),
  tooLarge: () =>
    new StorageFault(
      413,
      "EntityTooLarge",
      "The object exceeded the maximum allowed size",
      "Payload too large",
    ),
  noContent: () => new StorageFault(400, "InvalidRequest", "No content provided"),
  notEnabled: (feature: string) =>
    new StorageFault(409, "FeatureNotEnabled", `The feature ${feature} is not enabled`),
  timeout: () =>
    new StorageFault(544, "DatabaseTimeout", "The connection to the database timed out"),
  locked: () => new StorageFault(423, "ResourceLocked", "The resource is locked"),
};

/** A message of Postgres that names nothing the caller cannot see, or undefined for a fault of ours. */
export function faultOfDatabase(error: unknown): StorageFault | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string" || code.length !== 5) return undefined;
  if (code === "42501") return fault.denied();
  // set_config('role') with a role that is not there: the token names nobody this database knows.
  if (code === "22023" || code === "28000") return fault.denied("Access denied");
  if (code === "23505") return fault.exists();
  if (code === "23503") return fault.relatedMissing();
  if (code === "57014") return fault.timeout();
  if (code === "55P03") return fault.locked();
  if (code.startsWith("22")) return fault.invalidRequest("A value is not valid");
  // Refusals a project's own triggers and checks raise are meant to be read.
  if (code === "P0001" || code.startsWith("23")) {
    return fault.invalidRequest(code === "P0001" ? (error as Error).message : "A check failed");
  }
  return undefined;
}
