// `list()`, `listV2()` and `remove()` of supabase-js: routes for many objects of a bucket.

import type { Hono } from "hono";
import { z } from "zod";
import { listObjects, listRequest } from "./list-objects.ts";
import { asCaller } from "./object-rows.ts";
import type { StorageServices } from "./storage-services.ts";
import { readJson, requireCaller } from "./request-input.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";

const listing = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z
    .object({
      column: z.enum(["name", "updated_at", "created_at", "last_accessed_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .nullish(),
});
const removal = z.object({ prefixes: z.array(z.string()).min(1).max(1000) });

/** Routes that list and remove several objects. */
export function addListRemoveRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  app.post("/object/list/:bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const body = await readJson(c.req.raw, listing);
    const prefix =
      body.prefix === "" || body.prefix.endsWith("/") ? body.prefix : `${body.prefix}/`;
    const { rows } = await asCaller(context, caller, "object.list", async (client) =>
      client.query(
        `select name, id, updated_at, created_at, last_accessed_at, metadata
           from storage.search($1, $2, $3, 1, $4, $5, $6, $7)`,
        [
          prefix,
          c.req.param("bucket"),
          Math.min(body.limit, 1500),
          body.offset,
          body.search ?? "",
          body.sortBy?.column ?? "name",
          body.sortBy?.order ?? "asc",
        ],
      ),
    );
    return c.json(rows);
  });

  app.post("/object/list-v2/:bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const body = await readJson(c.req.raw, listRequest);
    const page = await asCaller(context, caller, "object.list_v2", async (client) =>
      listObjects(client, c.req.param("bucket"), body),
    );
    return c.json(page);
  });

  app.delete("/object/:bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { prefixes } = await readJson(c.req.raw, removal);
    const { rows } = await asCaller(context, caller, "object.delete_many", async (client) =>
      client.query<{ version: string | null }>(
        `delete from storage.objects where bucket_id = $1 and name = any($2)
         returning name, bucket_id, owner, owner_id, id, version, created_at, updated_at, last_accessed_at,
                   metadata, user_metadata`,
        [c.req.param("bucket"), prefixes],
      ),
    );
    await removeOrphanedBlobs(
      services,
      rows.map((row) => row.version),
    );
    return c.json(rows);
  });
}
