import type { Context, Hono } from "hono";
import type { Caller } from "../keys.ts";
import { fault } from "./errors.ts";
import { assertBucketName, assertObjectName } from "./names.ts";
import { asCaller, findBucket, findObject, type ObjectRow } from "./object-rows.ts";
import type { StorageParts } from "./parts.ts";
import { knownCaller, requireCaller } from "./requests.ts";
import { describeObject, serveObject } from "./serve-object.ts";
import { storeUpload } from "./store-object.ts";
import { removeUnused } from "./unused-bytes.ts";

type Reader = { caller: Caller | undefined };

/**
 * The object, if this reader may have it. Objects of a public bucket are everybody's; of any other they are
 * whose the policies say, and a bucket the reader has no business with is not there.
 */
async function readable(
  parts: StorageParts,
  { caller }: Reader,
  bucketId: string,
  name: string,
): Promise<{ object: ObjectRow; isPublic: boolean }> {
  assertBucketName(bucketId);
  const bucket = await findBucket(parts.context, bucketId);
  if (!bucket.public && caller === undefined) throw fault.noSuchBucket();
  assertObjectName(name);
  const object =
    bucket.public || caller === undefined
      ? await findObject(parts.context.db.lookups, bucketId, name)
      : await asCaller(parts.context, caller, "object.get_authenticated", async (client) =>
          findObject(client, bucketId, name),
        );
  return { object, isPublic: bucket.public };
}

/** Routes for the bytes of one object. */
export function addObjectRoutes(app: Hono, parts: StorageParts): void {
  const { context } = parts;

  const upload = async (c: Context, upsert: boolean, operation: string) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket = "", name = "" } = c.req.param() as Record<string, string>;
    assertBucketName(bucket);
    const { id } = await storeUpload(
      parts,
      { bucket, name, caller, owner: caller.userId, upsert, operation },
      c.req.raw,
    );
    return c.json({ Id: id, Key: `${bucket}/${name}` });
  };

  const answer = async (c: Context, reader: Reader, how: "bytes" | "info") => {
    const { bucket = "", name = "" } = c.req.param() as Record<string, string>;
    const { object, isPublic } = await readable(parts, reader, bucket, name);
    if (how === "info") return c.json(describeObject(object));
    return await serveObject(parts, c.req.raw, object, {
      download: c.req.query("download"),
      isPrivate: !isPublic,
    });
  };

  // The longer paths first: a bucket called "public" could not be told from the word.
  app.get("/object/info/public/:bucket/:name{[\\s\\S]+}", (c) =>
    answer(c, { caller: undefined }, "info"),
  );
  app.get("/object/info/authenticated/:bucket/:name{[\\s\\S]+}", async (c) =>
    answer(c, { caller: await requireCaller(context, c.req.raw) }, "info"),
  );
  app.get("/object/info/:bucket/:name{[\\s\\S]+}", async (c) =>
    answer(c, { caller: await knownCaller(context, c.req.raw) }, "info"),
  );
  app.get("/object/public/:bucket/:name{[\\s\\S]+}", (c) =>
    answer(c, { caller: undefined }, "bytes"),
  );
  app.get("/object/authenticated/:bucket/:name{[\\s\\S]+}", async (c) =>
    answer(c, { caller: await requireCaller(context, c.req.raw) }, "bytes"),
  );
  app.get("/object/:bucket/:name{[\\s\\S]+}", async (c) =>
    answer(c, { caller: await knownCaller(context, c.req.raw) }, "bytes"),
  );

  app.post("/object/:bucket/:name{[\\s\\S]+}", (c) =>
    upload(c, c.req.header("x-upsert") === "true", "object.upload"),
  );
  app.put("/object/:bucket/:name{[\\s\\S]+}", (c) => upload(c, true, "object.upload_update"));

  app.delete("/object/:bucket/:name{[\\s\\S]+}", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket, name } = c.req.param();
    const { rows } = await asCaller(context, caller, "object.delete", async (client) =>
      client.query<{ version: string | null }>(
        "delete from storage.objects where bucket_id = $1 and name = $2 returning version",
        [bucket, name],
      ),
    );
    if (rows.length === 0) throw fault.noSuchKey();
    await removeUnused(
      parts,
      rows.map((row) => row.version),
    );
    return c.json({ message: "Successfully deleted" });
  });
}
