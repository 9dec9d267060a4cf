// Decides whether a request may read an object: by a public bucket, policies or a signed URL.

import type { HostContext } from "../context.ts";
import type { Caller } from "../keys.ts";
import { assertBucketName, assertObjectName } from "./object-names.ts";
import { asCaller, findBucket, findObject, type ObjectRow } from "./object-rows.ts";
import {
  decryptCaller,
  maxPrivateLinkS,
  requireActiveSession,
  type SignedUrl,
} from "./signed-urls.ts";
import { storageErrors } from "./storage-errors.ts";

/** An object that may be read, and who reads it. */
export interface ReadableObject {
  object: ObjectRow;
  /** True when everybody may read it, so that shared caches may keep it. */
  isPublic: boolean;
  /** Undefined for an object of a public bucket. */
  caller: Caller | undefined;
}

/**
 * The object, if the caller may read it. Objects of a public bucket are readable by everyone. For any other bucket the
 * policies decide, and without a caller the bucket is reported as missing.
 */
export async function findReadableObject(
  context: HostContext,
  caller: Caller | undefined,
  bucketId: string,
  name: string,
): Promise<ReadableObject> {
  assertBucketName(bucketId);
  const bucket = await findBucket(context, bucketId);
  if (!bucket.public && caller === undefined) throw storageErrors.noSuchBucket();
  assertObjectName(name);
  if (bucket.public || caller === undefined) {
    const object = await findObject(context.db.lookups, bucketId, name);
    return { object, isPublic: bucket.public, caller: undefined };
  }
  const object = await asCaller(context, caller, "object.get_authenticated", async (client) =>
    findObject(client, bucketId, name),
  );
  return { object, isPublic: false, caller };
}

/**
 * The object of a download link. In a private bucket the policies are asked again, as the caller who signed the link.
 * @throws {StorageError} when the signer may not read the object any more, or the session that signed it has ended.
 */
export async function findLinkedObject(
  context: HostContext,
  link: SignedUrl,
  bucketId: string,
  name: string,
): Promise<ReadableObject> {
  const bucket = await findBucket(context, bucketId);
  if (bucket.public) {
    const object = await findObject(context.db.lookups, bucketId, name);
    return { object, isPublic: true, caller: undefined };
  }
  // A longer one was signed while the bucket was public, or by an older version.
  if (link.exp - (link.iat ?? 0) > maxPrivateLinkS) throw storageErrors.invalidSignature();
  const caller = await decryptCaller(context, link);
  await requireActiveSession(context, caller);
  const object = await asCaller(context, caller, "object.get_signed", async (client) =>
    findObject(client, bucketId, name),
  );
  return { object, isPublic: false, caller };
}
