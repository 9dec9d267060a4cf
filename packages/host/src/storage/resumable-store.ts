// Keeps resumable uploads as parts in the store of files, and makes an object when the last one has arrived.

import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DataStore, ERRORS, Metadata, Upload } from "@tus/server";
import { allowsType } from "./bucket-limits.ts";
import { fsyncFile } from "./fsync.ts";
import { assertObjectName } from "./object-names.ts";
import { findBucket } from "./object-rows.ts";
import {
  addPart,
  claimUpload,
  findUpload,
  finishUpload,
  insertUpload,
  removeUpload,
  resumableLifetimeMs,
  resumableLimits,
  unclaimUpload,
  type ResumableUpload,
} from "./resumable-rows.ts";
import { StorageError, storageErrors } from "./storage-errors.ts";
import type { StorageServices } from "./storage-services.ts";
import { assertWriteAllowed, saveStagedFile, type UploadTarget } from "./store-object.ts";
import { headerValue, parseMetadata } from "./upload-source.ts";
import { isUuid } from "../uuid.ts";

/** Who asks, and what a signed upload link allows. */
export interface ResumableAccess extends Pick<UploadTarget, "caller" | "upsert" | "operation"> {
  /** `<bucket>/<name>` of a signed link; undefined without one. */
  path: string | undefined;
}

/** Role and account of an upload's owner. */
function ownerOf({ caller }: ResumableAccess): string {
  return `${caller.role} ${caller.userId ?? ""}`;
}

type Fields = Record<string, string | null>;

/** What a client says of a file in `Upload-Metadata`, as hosted Supabase reads it. */
function optionsOf(fields: Fields) {
  const seconds = fields["cacheControl"];
  return {
    contentType: headerValue(fields["contentType"] ?? "application/octet-stream", "content type"),
    cacheControl: seconds ? headerValue(`max-age=${seconds}`, "cache control") : "no-cache",
    userMetadata: parseMetadata(fields["metadata"] ?? undefined),
  };
}

/** The uploads of one caller, for one request. */
export class ResumableStore extends DataStore {
  override extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  readonly #services: StorageServices;
  readonly #access: ResumableAccess;

  constructor(services: StorageServices, access: ResumableAccess) {
    super();
    this.#services = services;
    this.#access = access;
  }

  override getExpiration(): number {
    return resumableLifetimeMs;
  }

  /** @throws {StorageError} when a plain upload of that name, type and size would be refused */
  override async create(upload: Upload): Promise<Upload> {
    const { metadata: fields = {}, size = 0, id } = upload;
    const { upsert, operation, path } = this.#access;
    const [bucketName, name] = [fields["bucketName"], fields["objectName"]];
    if (!bucketName || !name) {
      throw storageErrors.invalidRequest("Upload-Metadata needs bucketName and objectName");
    }
    if (size === 0) throw storageErrors.noContent();
    assertObjectName(name);
    if (path !== undefined && path !== `${bucketName}/${name}`)
      throw storageErrors.invalidSignature();
    const options = optionsOf(fields);
    await this.#assertAccepted({ bucket: bucketName, name, size, upsert, operation }, options);
    await insertUpload(this.#services, {
      id,
      owner: ownerOf(this.#access),
      bucket: bucketName,
      name,
      size,
      upsert,
      operation,
      metadata: Metadata.stringify(fields),
    });
    upload.creation_date = new Date(this.#services.context.now()).toISOString();
    return upload;
  }

  /** Asks limits and policies what they would say of a plain upload now. */
  async #assertAccepted(
    upload: Pick<ResumableUpload, "bucket" | "name" | "size" | "upsert" | "operation">,
    { contentType, userMetadata }: ReturnType<typeof optionsOf>,
  ): Promise<void> {
    const { fileSizeLimit, context } = this.#services;
    const { size } = upload;
    const bucket = await findBucket(context, upload.bucket);
    if (size > Math.min(fileSizeLimit, bucket.file_size_limit ?? Infinity))
      throw storageErrors.tooLarge();
    if (!allowsType(bucket.allowed_mime_types, contentType))
      throw storageErrors.invalidMimeType(contentType);
    const claim = { mimetype: contentType, contentLength: size, size };
    await assertWriteAllowed(this.#services, this.#targetOf(upload), claim, userMetadata);
  }

  #targetOf({
    bucket,
    name,
    upsert,
    operation,
  }: Pick<ResumableUpload, "bucket" | "name" | "upsert" | "operation">): UploadTarget {
    const { caller } = this.#access;
    return { bucket, name, caller, owner: caller.userId, upsert, operation };
  }

  /** @throws 404 for an upload that is not there, is another account's, or has expired */
  async #find(id: string): Promise<ResumableUpload> {
    const found = isUuid(id)
      ? await findUpload(this.#services, id, ownerOf(this.#access))
      : undefined;
    if (found === undefined) throw ERRORS.FILE_NOT_FOUND;
    const { path } = this.#access;
    if (path !== undefined && path !== `${found.bucket}/${found.name}`)
      throw storageErrors.invalidSignature();
    return found;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await this.#find(id);
    const fields = Metadata.parse(found.metadata) as Fields;
    // Whether the account may still write it is asked with every request, not only with the first.
    if (!found.isFinished) await this.#assertAccepted(found, optionsOf(fields));
    return new Upload({
      id,
      size: found.size,
      offset: found.received,
      metadata: fields,
      creation_date: found.createdAt.toISOString(),
    });
  }

  override async remove(id: string): Promise<void> {
    await this.#find(id);
    await removeUpload(this.#services, id);
  }

  /** Takes the next bytes. @returns how many there are now */
  override async write(stream: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.#find(id);
    if (upload.received !== offset || upload.isFinished) throw ERRORS.INVALID_OFFSET;
    if (upload.parts.length >= resumableLimits.parts)
      throw storageErrors.invalidRequest("The upload has too many parts; send larger ones");
    const { staging } = this.#services;
    const path = await staging.newPath();
    try {
      const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
      await pipeline(stream, file);
      const size = file.bytesWritten;
      if (offset + size === upload.size) await this.#complete(upload, path);
      else if (size > 0) await this.#keep(upload, path, size);
      return offset + size;
    } finally {
      await staging.discard(path);
    }
  }

  async #keep(upload: ResumableUpload, path: string, size: number): Promise<void> {
    await fsyncFile(path);
    const version = randomUUID();
    await this.#services.blobs.put(version, path);
    if (await addPart(this.#services, upload, { version, size })) return;
    await this.#services.blobs.remove([version]);
    throw ERRORS.INVALID_OFFSET;
  }

  /** Makes the object of all parts and the last bytes. A file that its bucket does not accept takes the upload with it. */
  async #complete(upload: ResumableUpload, lastPath: string): Promise<void> {
    if (!(await claimUpload(this.#services, upload))) throw storageErrors.locked();
    const { staging, blobs, context } = this.#services;
    const parts = async function* () {
      for (const version of upload.parts) {
        const part = await blobs.open(version);
        if (part === undefined) throw ERRORS.FILE_NO_LONGER_EXISTS;
        yield* part as AsyncIterable<Buffer>;
      }
      yield* createReadStream(lastPath) as AsyncIterable<Buffer>;
    };
    try {
      const bucket = await findBucket(context, upload.bucket);
      const staged = await staging.receive(parts(), upload.size);
      const options = optionsOf(Metadata.parse(upload.metadata));
      await saveStagedFile(this.#services, this.#targetOf(upload), bucket, staged, options);
    } catch (error) {
      const isFinal =
        error === ERRORS.FILE_NO_LONGER_EXISTS ||
        (error instanceof StorageError && error.status < 500 && ![423, 429].includes(error.status));
      await (isFinal ? removeUpload : unclaimUpload)(this.#services, upload.id);
      throw error;
    }
    await finishUpload(this.#services, upload);
  }
}
