// `move()` and `copy()` of supabase-js, also to another bucket, whose own limits then apply.

import type { Hono } from "hono";
import { z } from "zod";
import type { Caller } from "../keys.ts";
import { storageErrors } from "./storage-errors.ts";
import { assertBucketName, assertObjectName } from "./object-names.ts";
import {
  asCaller,
  findBucket,
  findObject,
  lockObjectName,
  ownerColumns,
  type ObjectMetadata,
  type ObjectRow,
} from "./object-rows.ts";
import type { StorageServices } from "./storage-services.ts";
import { readJson, requireCaller } from "./request-input.ts";
import {
  accountOf,
  assertWriteAllowed,
  saveStagedFile,
  storeContent,
  stageStoredObject,
} from "./store-object.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";
import { metadataHeader } from "./upload-source.ts";

const transferBody = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().nullish(),
  destinationKey: z.string(),
  copyMetadata: z.boolean().default(true),
  metadata: z
    .object({
      cacheControl: z.string().regex(/^[\x20-\x7e]{1,200}$/),
      mimetype: z.string().regex(/^[\x20-\x7e]{1,200}$/),
    })
    .partial()
    .nullish(),
});

/** Parses source and destination and checks the names. */
async function readTransfer(request: Request) {
  const body = await readJson(request, transferBody);
  const destination = body.destinationBucket ?? body.bucketId;
  assertBucketName(body.bucketId);
  assertBucketName(destination);
  assertObjectName(body.destinationKey);
  return { ...body, destination };
}

type Transfer = Awaited<ReturnType<typeof readTransfer>>;

async function findSource(
  services: StorageServices,
  caller: Caller,
  operation: string,
  transfer: Transfer,
): Promise<ObjectRow> {
  return await asCaller(services.context, caller, operation, async (client) =>
    findObject(client, transfer.bucketId, transfer.sourceKey),
  );
}

function fileOptionsOf(source: ObjectRow) {
  return {
    contentType: source.metadata?.mimetype ?? "application/octet-stream",
    cacheControl: source.metadata?.cacheControl ?? "no-cache",
  };
}

/** Renames the row as the caller; with `content`, the row gets new bytes too. */
async function renameRow(
  services: StorageServices,
  caller: Caller,
  transfer: Transfer,
  content?: { version: string; metadata: ObjectMetadata },
): Promise<ObjectRow> {
  return await asCaller(services.context, caller, "object.move", async (client) => {
    await lockObjectName(client, caller, transfer.bucketId, transfer.sourceKey);
    const source = await findObject(client, transfer.bucketId, transfer.sourceKey);
    const { rowCount } = await client.query(
      `update storage.objects
          set name = $3, bucket_id = $4, owner = coalesce($5, owner), owner_id = coalesce($6, owner_id),
              version = coalesce($7, version), metadata = coalesce($8, metadata)
        where bucket_id = $1 and name = $2`,
      [
        transfer.bucketId,
        transfer.sourceKey,
        transfer.destinationKey,
        transfer.destination,
        ...ownerColumns(caller.userId),
        content?.version ?? null,
        content?.metadata ?? null,
      ],
    );
    if (rowCount === 0) throw storageErrors.noSuchKey();
    return source;
  });
}

/** Bytes are stored by version, so a move within a bucket only changes one row. */
async function move(
  services: StorageServices,
  caller: Caller,
  transfer: Transfer,
): Promise<ObjectRow> {
  if (transfer.destination === transfer.bucketId)
    return await renameRow(services, caller, transfer);
  // The other bucket's rules apply as to an upload.
  const bucket = await findBucket(services.context, transfer.destination);
  const source = await findSource(services, caller, "object.move", transfer);
  const staged = await stageStoredObject(services, source.version);
  const content = await storeContent(
    services,
    bucket,
    transfer.destinationKey,
    staged,
    fileOptionsOf(source),
    accountOf(caller),
  );
  try {
    const moved = await renameRow(services, caller, transfer, content);
    await removeOrphanedBlobs(services, [moved.version]);
    return moved;
  } catch (error) {
    await removeOrphanedBlobs(services, [content.version]);
    throw error;
  }
}

/** Routes that move and copy objects. */
export function addMoveCopyRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  app.post("/object/move", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const transfer = await readTransfer(c.req.raw);
    const moved = await move(services, caller, transfer);
    return c.json({ message: "Successfully moved", Id: moved.id, Key: transfer.destinationKey });
  });

  app.post("/object/copy", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const transfer = await readTransfer(c.req.raw);
    const operation = "object.copy";
    const source = await findSource(services, caller, operation, transfer);
    const bucket = await findBucket(context, transfer.destination);
    const target = {
      bucket: transfer.destination,
      name: transfer.destinationKey,
      caller,
      owner: caller.userId,
      upsert: c.req.header("x-upsert") === "true",
      operation,
    };
    const options = {
      ...fileOptionsOf(source),
      ...(transfer.copyMetadata || !transfer.metadata?.mimetype
        ? {}
        : { contentType: transfer.metadata.mimetype }),
      ...(transfer.copyMetadata || !transfer.metadata?.cacheControl
        ? {}
        : { cacheControl: transfer.metadata.cacheControl }),
      userMetadata: transfer.copyMetadata
        ? (source.user_metadata ?? {})
        : metadataHeader(c.req.raw),
    };
    await assertWriteAllowed(services, target, source.metadata ?? {}, options.userMetadata);
    const staged = await stageStoredObject(services, source.version);
    const { id } = await saveStagedFile(services, target, bucket, staged, options);
    return c.json({ Id: id, Key: `${transfer.destination}/${transfer.destinationKey}` });
  });
}
