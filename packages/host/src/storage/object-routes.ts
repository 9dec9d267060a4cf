// Routes that upload, download, describe and delete a single object.

import type { Context, Hono } from "hono";
import type { Caller } from "../keys.ts";
import { storageErrors } from "./storage-errors.ts";
import { assertBucketName } from "./object-names.ts";
import { asCaller } from "./object-rows.ts";
import { findReadableObject } from "./readable-objects.ts";
import type { StorageServices } from "./storage-services.ts";
import { optionalCaller, requireCaller } from "./request-input.ts";
import { objectInfo, serveObject } from "./serve-object.ts";
import { storeUpload } from "./store-object.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";

/** Routes for the bytes of one object. */
export function addObjectRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  const upload = async (c: Context, upsert: boolean, operation: string) => {
    const caller = await requireCaller(context, c.req.raw);
    const { bucket = "", name = "" } = c.req.param() as Record<string, string>;
    assertBucketName(bucket);
    const { id } = await storeUpload(
      services,
      { bucket, name, caller, owner: caller.userId, upsert, operation },
      c.req.raw,
    );
    return c.json({ Id: id, Key: `${bucket}/${name}` });
  };

  const respond = async (c: Context, caller: Caller | undefined, format: "bytes" | "info") => {
    const { bucket = "", name = "" } = c.req.param() as Record<string, string>;
    const { object, isPublic } = await findReadableObject(context, caller, bucket, name);
    if (format === "info") {
      c.header("etag", object.metadata?.eTag);
      c.header("last-modified", object.updated_at.toUTCString());
      return c.json(objectInfo(object));
    }
    return await serveObject(services, c.req.raw, object, {
      download: c.req.query("download"),
      isPrivate: !isPublic,
    });
  };

  // Longer paths first: otherwise "public" would be taken for a bucket's name.
  app.get("/object/info/public/:bucket/:name{[\\s\\S]+}", (c) => respond(c, undefined, "info"));
  app.get("/object/info/authenticated/:bucket/:name{[\\s\\S]+}", async (c) =>
    respond(c, await requireCaller(context, c.req.raw), "info"),
  );
  app.get("/object/info/:bucket/:name{[\\s\\S]+}", async (c) =>
    respond(c, await optionalCaller(context, c.req.raw), "info"),
  );
  app.get("/object/public/:bucket/:name{[\\s\\S]+}", (c) => respond(c, undefined, "bytes"));
  app.get("/object/authenticated/:bucket/:name{[\\s\\S]+}", async (c) =>
    respond(c, await requireCaller(context, c.req.raw), "bytes"),
  );
  app.get("/object/:bucket/:name{[\\s\\S]+}", async (c) =>
    respond(c, await optionalCaller(context, c.req.raw), "bytes"),
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
    if (rows.length === 0) throw storageErrors.noSuchKey();
    await removeOrphanedBlobs(
      services,
      rows.map((row) => row.version),
    );
    return c.json({ message: "Successfully deleted" });
  });
}
