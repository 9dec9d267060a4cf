import type { Hono } from "hono";
import { z } from "zod";
import type { Caller } from "../keys.ts";
import { fault } from "./errors.ts";
import { assertBucketName, assertObjectName } from "./names.ts";
import {
  asCaller,
  findBucket,
  findObject,
  lockName,
  ownerColumns,
  type ObjectMetadata,
  type ObjectRow,
} from "./object-rows.ts";
import type { StorageParts } from "./parts.ts";
import { readJson, requireCaller } from "./requests.ts";
import { assertMayWrite, keepStaged, putContent, stageStored } from "./store-object.ts";
import { removeUnused } from "./unused-bytes.ts";
import { metadataHeader } from "./upload-source.ts";

const transfer = z.object({
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

/** Reads where from and where to, and checks the names. */
async function readTransfer(request: Request) {
  const body = await readJson(request, transfer);
  const destination = body.destinationBucket ?? body.bucketId;
  assertBucketName(body.bucketId);
  assertBucketName(destination);
  assertObjectName(body.destinationKey);
  return { ...body, destination };
}

type Transfer = Awaited<ReturnType<typeof readTransfer>>;

async function visible(
  parts: StorageParts,
  caller: Caller,
  operation: string,
  way: Transfer,
): Promise<ObjectRow> {
  return await asCaller(parts.context, caller, operation, async (client) =>
    findObject(client, way.bucketId, way.sourceKey),
  );
}

function claimOf(source: ObjectRow) {
  return {
    contentType: source.metadata?.mimetype ?? "application/octet-stream",
    cacheControl: source.metadata?.cacheControl ?? "no-cache",
  };
}

/** Renames the row as the caller; with `content`, other bytes go with it. */
async function renameRow(
  parts: StorageParts,
  caller: Caller,
  way: Transfer,
  content?: { version: string; metadata: ObjectMetadata },
): Promise<ObjectRow> {
  return await asCaller(parts.context, caller, "object.move", async (client) => {
    await lockName(client, caller, way.bucketId, way.sourceKey);
    const source = await findObject(client, way.bucketId, way.sourceKey);
    const { rowCount } = await client.query(
      `update storage.objects
          set name = $3, bucket_id = $4, owner = coalesce($5, owner), owner_id = coalesce($6, owner_id),
              version = coalesce($7, version), metadata = coalesce($8, metadata)
        where bucket_id = $1 and name = $2`,
      [
        way.bucketId,
        way.sourceKey,
        way.destinationKey,
        way.destination,
        ...ownerColumns(caller.userId),
        content?.version ?? null,
        content?.metadata ?? null,
      ],
    );
    if (rowCount === 0) throw fault.noSuchKey();
    return source;
  });
}

/** Bytes are found by version, so a move within a bucket is a change of one row. */
async function move(parts: StorageParts, caller: Caller, way: Transfer): Promise<ObjectRow> {
  if (way.destination === way.bucketId) return await renameRow(parts, caller, way);
  // Another bucket has other rules: what it would not take from an upload it does not take from a neighbour.
  const bucket = await findBucket(parts.context, way.destination);
  const source = await visible(parts, caller, "object.move", way);
  const staged = await stageStored(parts, source.version);
  const content = await putContent(parts, bucket, way.destinationKey, staged, claimOf(source));
  try {
    const moved = await renameRow(parts, caller, way, content);
    await removeUnused(parts, [moved.version]);
    return moved;
  } catch (error) {
    await removeUnused(parts, [content.version]);
    throw error;
  }
}

/** Routes that take an object somewhere else. */
export function addTransferRoutes(app: Hono, parts: StorageParts): void {
  const { context } = parts;

  app.post("/object/move", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const way = await readTransfer(c.req.raw);
    const moved = await move(parts, caller, way);
    return c.json({ message: "Successfully moved", Id: moved.id, Key: way.destinationKey });
  });

  app.post("/object/copy", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const way = await readTransfer(c.req.raw);
    const operation = "object.copy";
    const source = await visible(parts, caller, operation, way);
    const bucket = await findBucket(context, way.destination);
    const target = {
      bucket: way.destination,
      name: way.destinationKey,
      caller,
      owner: caller.userId,
      upsert: c.req.header("x-upsert") === "true",
      operation,
    };
    const facts = {
      ...claimOf(source),
      ...(way.copyMetadata || !way.metadata?.mimetype
        ? {}
        : { contentType: way.metadata.mimetype }),
      ...(way.copyMetadata || !way.metadata?.cacheControl
        ? {}
        : { cacheControl: way.metadata.cacheControl }),
      userMetadata: way.copyMetadata ? (source.user_metadata ?? {}) : metadataHeader(c.req.raw),
    };
    await assertMayWrite(parts, target, source.metadata ?? {}, facts.userMetadata);
    const staged = await stageStored(parts, source.version);
    const { id } = await keepStaged(parts, target, bucket, staged, facts);
    return c.json({ Id: id, Key: `${way.destination}/${way.destinationKey}` });
  });
}
