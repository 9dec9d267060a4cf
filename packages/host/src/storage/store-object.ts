// The whole path of an upload: policies, limits, content checks, bytes on disk, then the row.

import { randomUUID } from "node:crypto";
import type { Caller } from "../keys.ts";
import {
  isImageOnlyBucket,
  reencodeStagedImage,
  trimStagedPdf,
  verifiedContentType,
} from "./file-content.ts";
import { storageErrors } from "./storage-errors.ts";
import { allowsType, normaliseType } from "./bucket-limits.ts";
import { assertObjectName, isFolderPlaceholder } from "./object-names.ts";
import {
  asCaller,
  findBucket,
  lockObjectName,
  dryRun,
  writeObject,
  type BucketRow,
  type NewObject,
  type ObjectMetadata,
} from "./object-rows.ts";
import type { StorageServices } from "./storage-services.ts";
import type { StagedFile } from "./staging-area.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";
import { openBody } from "./request-body.ts";
import { openUpload, type UploadSource } from "./upload-source.ts";

/** Where a file is stored, and as which caller. */
export interface UploadTarget {
  bucket: string;
  name: string;
  caller: Caller;
  /** Account that will own the object. */
  owner: string | undefined;
  upsert: boolean;
  operation: string;
}

function sizeLimitOf(services: StorageServices, bucket: BucketRow, name: string): number {
  if (isFolderPlaceholder(name)) return 0;
  return Math.min(services.fileSizeLimit, bucket.file_size_limit ?? Infinity);
}

function assertAllowed(bucket: BucketRow, name: string, type: string): void {
  if (!isFolderPlaceholder(name) && !allowsType(bucket.allowed_mime_types, type)) {
    throw storageErrors.invalidMimeType(type);
  }
}

/** Asks the policies before the body is read, so that a refused upload is refused early. */
export async function assertWriteAllowed(
  services: StorageServices,
  target: UploadTarget,
  metadata: Partial<ObjectMetadata>,
  userMetadata: Record<string, unknown>,
): Promise<void> {
  const object: NewObject = {
    id: randomUUID(),
    bucket: target.bucket,
    name: target.name,
    owner: target.owner,
    metadata,
    userMetadata,
    version: randomUUID(),
  };
  await dryRun(services.context, target.caller, target.operation, async (client) => {
    await writeObject(client, object, target.upsert);
  });
}

/** Whose images wait for their turn together; undefined for the server itself. */
export function accountOf(caller: Caller): string | undefined {
  return caller.userId ?? (caller.role === "service_role" ? undefined : caller.role);
}

/** Options the client sends with a file. */
export type FileOptions = Pick<UploadSource, "contentType" | "cacheControl" | "userMetadata">;

/**
 * Checks a staged file against its bucket and its claimed type and moves it to the store. No row refers to it yet.
 * The staged file is consumed.
 * @throws {StorageError} when the bucket does not accept it.
 */
export async function storeContent(
  services: StorageServices,
  bucket: BucketRow,
  name: string,
  received: StagedFile,
  options: Omit<FileOptions, "userMetadata">,
  account: string | undefined,
): Promise<{ version: string; metadata: ObjectMetadata }> {
  let staged = received;
  try {
    if (staged.size > sizeLimitOf(services, bucket, name)) throw storageErrors.tooLarge();
    const mimetype = isFolderPlaceholder(name)
      ? options.contentType
      : await verifiedContentType(staged, options.contentType);
    assertAllowed(bucket, name, mimetype);
    const takesImages = bucket.public || isImageOnlyBucket(bucket.allowed_mime_types);
    if (takesImages && !isFolderPlaceholder(name)) {
      const types = bucket.allowed_mime_types;
      staged = await reencodeStagedImage(services, staged, account, types);
    }
    if (normaliseType(mimetype) === "application/pdf")
      staged = await trimStagedPdf(services.staging, staged);
    const version = randomUUID();
    await services.blobs.put(version, staged.path);
    const metadata = {
      eTag: `"${staged.md5}"`,
      size: staged.size,
      mimetype,
      cacheControl: options.cacheControl,
      lastModified: new Date(services.context.now()).toISOString(),
      contentLength: staged.size,
      httpStatusCode: 200,
    };
    return { version, metadata };
  } finally {
    await services.staging.discard(staged.path);
  }
}

/**
 * Makes a staged file the object's content: stores the bytes, writes the row, then removes the replaced bytes.
 * In this order a row never refers to missing bytes, even after a failure.
 */
export async function saveStagedFile(
  services: StorageServices,
  target: UploadTarget,
  bucket: BucketRow,
  staged: StagedFile,
  options: FileOptions,
): Promise<{ id: string; metadata: ObjectMetadata }> {
  const { context } = services;
  const account = accountOf(target.caller);
  const { version, metadata } = await storeContent(
    services,
    bucket,
    target.name,
    staged,
    options,
    account,
  );
  const { caller, operation, owner, upsert, name } = target;
  try {
    const written = await asCaller(context, caller, operation, async (client) => {
      const old = await lockObjectName(client, caller, target.bucket, name);
      const { userMetadata } = options;
      const id = randomUUID();
      const object = { id, bucket: target.bucket, name, owner, metadata, userMetadata, version };
      return { id: await writeObject(client, object, upsert), old };
    });
    await removeOrphanedBlobs(services, [written.old]);
    return { id: written.id, metadata };
  } catch (error) {
    await removeOrphanedBlobs(services, [version]);
    throw error;
  }
}

/**
 * Receives the file in a request and stores it.
 * @throws {StorageError} when name, type, size or a policy forbids it; nothing is stored then.
 */
export async function storeUpload(
  services: StorageServices,
  target: UploadTarget,
  request: Request,
): Promise<{ id: string }> {
  const body = openBody(request);
  try {
    assertObjectName(target.name);
    const bucket = await findBucket(services.context, target.bucket);
    const limit = sizeLimitOf(services, bucket, target.name);
    const source = await openUpload(request, body);
    const announced = source.declaredLength;
    if (announced !== undefined && announced > limit) throw storageErrors.tooLarge();
    assertAllowed(bucket, target.name, source.contentType);
    const length = announced === undefined ? {} : { contentLength: announced, size: announced };
    const claim = { mimetype: source.contentType, ...length };
    await assertWriteAllowed(services, target, claim, source.userMetadata);
    const staged = await services.staging.receive(source.bytes, limit);
    return await saveStagedFile(services, target, bucket, staged, source);
  } finally {
    await body.drain();
  }
}

/** Copies stored bytes to the staging area, to be checked against another bucket's rules. */
export async function stageStoredObject(
  services: StorageServices,
  version: string | null,
): Promise<StagedFile> {
  const bytes = version === null ? undefined : await services.blobs.open(version);
  if (bytes === undefined) throw storageErrors.noSuchKey();
  return await services.staging.receive(bytes as AsyncIterable<Uint8Array>, Infinity);
}
