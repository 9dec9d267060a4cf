import { randomUUID } from "node:crypto";
import type { Caller } from "../keys.ts";
import { cleanPublicPicture, trueType } from "./content.ts";
import { fault } from "./errors.ts";
import { allowsType } from "./limits.ts";
import { assertObjectName, isFolderPlaceholder } from "./names.ts";
import {
  asCaller,
  findBucket,
  lockName,
  rehearse,
  writeObject,
  type BucketRow,
  type NewObject,
  type ObjectMetadata,
} from "./object-rows.ts";
import type { StorageParts } from "./parts.ts";
import type { Staged } from "./staging.ts";
import { removeUnused } from "./unused-bytes.ts";
import { openBody } from "./request-body.ts";
import { openUpload, type UploadSource } from "./upload-source.ts";

/** Where a file goes and in whose name. */
export interface Target {
  bucket: string;
  name: string;
  caller: Caller;
  /** Account that will own the object; the caller's, save for signed uploads. */
  owner: string | undefined;
  upsert: boolean;
  operation: string;
}

function limitOf(parts: StorageParts, bucket: BucketRow, name: string): number {
  if (isFolderPlaceholder(name)) return 0;
  return Math.min(parts.fileSizeLimit, bucket.file_size_limit ?? Infinity);
}

function assertAllowed(bucket: BucketRow, name: string, type: string): void {
  if (!isFolderPlaceholder(name) && !allowsType(bucket.allowed_mime_types, type)) {
    throw fault.invalidMimeType(type);
  }
}

/** Asks the policies before any byte is read, so that a refusal costs the client and us nothing. */
export async function assertMayWrite(
  parts: StorageParts,
  target: Target,
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
  await rehearse(parts.context, target.caller, target.operation, async (client) => {
    await writeObject(client, object, target.upsert);
  });
}

/** What the client says about a file. */
export type Facts = Pick<UploadSource, "contentType" | "cacheControl" | "userMetadata">;

/**
 * Checks a staged file against its bucket and its claim and puts its bytes into the store, where no row speaks of
 * them yet. The staged file is used up.
 * @throws {StorageFault} when the bucket does not take it.
 */
export async function putContent(
  parts: StorageParts,
  bucket: BucketRow,
  name: string,
  received: Staged,
  facts: Omit<Facts, "userMetadata">,
): Promise<{ version: string; metadata: ObjectMetadata }> {
  let staged = received;
  try {
    if (staged.size > limitOf(parts, bucket, name)) throw fault.tooLarge();
    const mimetype = isFolderPlaceholder(name)
      ? facts.contentType
      : await trueType(staged, facts.contentType);
    assertAllowed(bucket, name, mimetype);
    if (bucket.public && !isFolderPlaceholder(name)) {
      staged = await cleanPublicPicture(parts.staging, staged, bucket.allowed_mime_types);
    }
    const version = randomUUID();
    await parts.blobs.put(version, staged.path);
    const metadata = {
      eTag: `"${staged.md5}"`,
      size: staged.size,
      mimetype,
      cacheControl: facts.cacheControl,
      lastModified: new Date(parts.context.now()).toISOString(),
      contentLength: staged.size,
      httpStatusCode: 200,
    };
    return { version, metadata };
  } finally {
    await parts.staging.discard(staged.path);
  }
}

/**
 * Makes a staged file the object's content: bytes first, then the row, then the bytes it replaces go.
 * Whatever fails, no row speaks of bytes that are not there.
 */
export async function keepStaged(
  parts: StorageParts,
  target: Target,
  bucket: BucketRow,
  staged: Staged,
  facts: Facts,
): Promise<{ id: string; metadata: ObjectMetadata }> {
  const { version, metadata } = await putContent(parts, bucket, target.name, staged, facts);
  const { context } = parts;
  const { caller, operation, owner, upsert, name } = target;
  try {
    const written = await asCaller(context, caller, operation, async (client) => {
      const old = await lockName(client, caller, target.bucket, name);
      const { userMetadata } = facts;
      const id = randomUUID();
      const object = { id, bucket: target.bucket, name, owner, metadata, userMetadata, version };
      return { id: await writeObject(client, object, upsert), old };
    });
    await removeUnused(parts, [written.old]);
    return { id: written.id, metadata };
  } catch (error) {
    await removeUnused(parts, [version]);
    throw error;
  }
}

/**
 * Receives the file in a request and stores it.
 * @throws {StorageFault} when name, type, size or a policy forbids it; nothing is left behind then.
 */
export async function storeUpload(
  parts: StorageParts,
  target: Target,
  request: Request,
): Promise<{ id: string }> {
  const body = openBody(request);
  try {
    assertObjectName(target.name);
    const bucket = await findBucket(parts.context, target.bucket);
    const limit = limitOf(parts, bucket, target.name);
    const source = await openUpload(request, body);
    const announced = source.declaredLength;
    if (announced !== undefined && announced > limit) throw fault.tooLarge();
    assertAllowed(bucket, target.name, source.contentType);
    const length = announced === undefined ? {} : { contentLength: announced, size: announced };
    const claim = { mimetype: source.contentType, ...length };
    await assertMayWrite(parts, target, claim, source.userMetadata);
    const staged = await parts.staging.receive(source.bytes, limit);
    return await keepStaged(parts, target, bucket, staged, source);
  } finally {
    await body.drain();
  }
}

/** Copies stored bytes to the staging folder, to be kept again under the rules of another bucket. */
export async function stageStored(parts: StorageParts, version: string | null): Promise<Staged> {
  const bytes = version === null ? undefined : await parts.blobs.open(version);
  if (bytes === undefined) throw fault.noSuchKey();
  return await parts.staging.receive(bytes as AsyncIterable<Uint8Array>, Infinity);
}
