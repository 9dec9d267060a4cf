// Routes that create, list, change, empty and delete buckets.

import type { Hono } from "hono";
import { z } from "zod";
import { storageErrors } from "./storage-errors.ts";
import { assertMimePatterns, parseBucketSize } from "./bucket-limits.ts";
import { assertBucketName } from "./object-names.ts";
import { asCaller, ownerColumns } from "./object-rows.ts";
import type { StorageServices } from "./storage-services.ts";
import { readJson, requireCaller } from "./request-input.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";

const bucketColumns = `id, name, owner, public, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  created_at, updated_at`;

const settings = z.object({
  public: z.boolean().nullish(),
  file_size_limit: z.union([z.number().min(0), z.string()]).nullish(),
  allowed_mime_types: z.array(z.string()).nullish(),
});
const creation = settings.extend({ id: z.string().optional(), name: z.string() });
const listing = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  offset: z.coerce.number().int().min(0).default(0),
  sortColumn: z.enum(["id", "name", "created_at", "updated_at"]).default("name"),
  sortOrder: z.enum(["asc", "desc"]).default("asc"),
  search: z.string().default(""),
});

/** @throws {StorageError} when a limit is malformed or larger than the install allows. */
function checkedSettings(services: StorageServices, given: z.output<typeof settings>) {
  const size = given.file_size_limit;
  const limit = size === null || size === undefined ? size : parseBucketSize(size);
  if (typeof limit === "number" && limit > services.fileSizeLimit) throw storageErrors.tooLarge();
  const types = given.allowed_mime_types;
  if (types) assertMimePatterns(types);
  return { limit, types: types?.filter((type) => type !== "") ?? types };
}

/** Routes below /bucket. Policies on storage.buckets decide; without any, only the service role may use them. */
export function addBucketRoutes(app: Hono, services: StorageServices): void {
  const { context } = services;

  app.get("/bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const query = listing.safeParse(c.req.query());
    if (!query.success) throw storageErrors.invalidRequest("querystring is not valid");
    const { limit, offset, sortColumn, sortOrder, search } = query.data;
    const { rows } = await asCaller(context, caller, "bucket.list", async (client) =>
      client.query(
        `select ${bucketColumns}, type from storage.buckets where strpos(lower(name), lower($1)) > 0
          order by ${sortColumn} ${sortOrder}, id limit $2 offset $3`,
        [search, limit, offset],
      ),
    );
    return c.json(rows);
  });

  app.get("/bucket/:id", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const { rows } = await asCaller(context, caller, "bucket.get", async (client) =>
      client.query(`select ${bucketColumns} from storage.buckets where id = $1`, [
        c.req.param("id"),
      ]),
    );
    if (rows[0] === undefined) throw storageErrors.noSuchBucket();
    return c.json(rows[0]);
  });

  app.post("/bucket", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const body = await readJson(c.req.raw, creation);
    assertBucketName(body.name);
    assertBucketName(body.id ?? body.name);
    const { limit, types } = checkedSettings(services, body);
    await asCaller(context, caller, "bucket.create", async (client) =>
      client.query(
        `insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [
          body.id ?? body.name,
          body.name,
          ...ownerColumns(caller.userId),
          body.public ?? false,
          limit ?? null,
          types ?? null,
        ],
      ),
    );
    return c.json({ name: body.name });
  });

  app.put("/bucket/:id", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const body = await readJson(c.req.raw, settings);
    const { limit, types } = checkedSettings(services, body);
    const { rowCount } = await asCaller(context, caller, "bucket.update", async (client) =>
      client.query(
        `update storage.buckets
            set public = coalesce($2, public),
                file_size_limit = case when $3 then $4 else file_size_limit end,
                allowed_mime_types = case when $5 then $6 else allowed_mime_types end
          where id = $1`,
        [
          c.req.param("id"),
          body.public ?? null,
          limit !== undefined,
          limit ?? null,
          types !== undefined,
          types ?? null,
        ],
      ),
    );
    if (rowCount === 0) throw storageErrors.noSuchBucket();
    return c.json({ message: "Successfully updated" });
  });

  app.post("/bucket/:id/empty", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const id = c.req.param("id");
    const { rows } = await asCaller(context, caller, "bucket.empty", async (client) => {
      const bucket = await client.query("select from storage.buckets where id = $1", [id]);
      if (bucket.rowCount === 0) throw storageErrors.noSuchBucket();
      return await client.query<{ version: string | null }>(
        "delete from storage.objects where bucket_id = $1 returning version",
        [id],
      );
    });
    await removeOrphanedBlobs(
      services,
      rows.map((row) => row.version),
    );
    // The words of hosted Supabase, which empties later; here it is done.
    return c.json({
      message: "Empty bucket has been queued. Completion may take up to an hour.",
    });
  });

  app.delete("/bucket/:id", async (c) => {
    const caller = await requireCaller(context, c.req.raw);
    const id = c.req.param("id");
    await asCaller(context, caller, "bucket.delete", async (client) => {
      const bucket = await client.query("select from storage.buckets where id = $1", [id]);
      if (bucket.rowCount === 0) throw storageErrors.noSuchBucket();
      const used = await context.db.lookups.query(
        "select from storage.objects where bucket_id = $1 limit 1",
        [id],
      );
      if (used.rowCount !== 0) throw storageErrors.notEmpty();
      const gone = await client.query("delete from storage.buckets where id = $1", [id]);
      if (gone.rowCount === 0) throw storageErrors.noSuchBucket();
    });
    return c.json({ message: "Successfully deleted" });
  });
}
