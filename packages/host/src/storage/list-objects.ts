// Query behind `listV2()`: pages of objects and folders under a prefix, with cursors.

import { z } from "zod";
import type { Queryable } from "../postgres/database.ts";
import { storageErrors } from "./storage-errors.ts";

/** Body of `listV2()`. */
export const listRequest = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).default(1000),
  cursor: z.string().optional(),
  with_delimiter: z.boolean().default(false),
  sortBy: z
    .object({
      column: z.enum(["name", "created_at", "updated_at"]).default("name"),
      order: z.enum(["asc", "desc"]).default("asc"),
    })
    .default({ column: "name", order: "asc" }),
});

const cursorShape = z.object({
  column: z.enum(["name", "created_at", "updated_at"]),
  order: z.enum(["asc", "desc"]),
  name: z.string(),
  value: z.string(),
});

interface Entry {
  id: string | null;
  name: string;
  created_at: Date | null;
  updated_at: Date | null;
  last_accessed_at: Date | null;
  metadata: unknown;
  sort_value: string;
}

function readCursor(cursor: string) {
  try {
    return cursorShape.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw storageErrors.invalidRequest("Invalid Parameter cursor");
  }
}

/** With a delimiter, the part of the name at the level of the prefix, without a slash; else the name. */
function keyOf(name: string, { prefix, with_delimiter }: z.output<typeof listRequest>): string {
  return with_delimiter ? (name.split("/")[prefix.split("/").length - 1] ?? name) : name;
}

/**
 * One page of a bucket's objects visible to `db`, in the requested order, after the cursor.
 * @throws {StorageError} InvalidRequest for a malformed cursor.
 */
export async function listObjects(
  db: Queryable,
  bucket: string,
  request: z.output<typeof listRequest>,
): Promise<Record<string, unknown>> {
  const limit = Math.min(request.limit, 1000);
  const cursor = request.cursor === undefined ? undefined : readCursor(request.cursor);
  const column = cursor?.column ?? request.sortBy.column;
  const order = cursor?.order ?? request.sortBy.order;
  const beyond = order === "asc" ? ">" : "<";
  const folder = "left(name, length($2) + slash)";
  const dated = (value: string) =>
    `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;
  const { rows } = await db.query<Entry>(
    `with hit as (
       select id, name, created_at, updated_at, last_accessed_at, metadata,
              strpos(substr(name, length($2) + 1), '/') as slash
         from storage.objects
        where bucket_id = $1 and starts_with(name, $2)
     ), entry as (
       select id, name, created_at, updated_at, last_accessed_at, metadata,
              ${column === "name" ? "name" : dated(column)} as sort_value
         from hit where not $3 or slash = 0
       union all
       -- A folder is as old as the first file in it.
       select null::uuid, ${folder}, null::timestamptz, null::timestamptz,
              null::timestamptz, null::jsonb, ${column === "name" ? folder : dated("min(created_at)")}
         from hit where $3 and slash > 0 group by ${folder}
     )
     select * from entry
      where $4::text is null or (sort_value collate "C", name collate "C") ${beyond} ($4, $5)
      order by sort_value collate "C" ${order}, name collate "C" ${order}
      limit $6`,
    [
      bucket,
      request.prefix,
      request.with_delimiter,
      cursor?.value ?? null,
      cursor?.name ?? null,
      limit + 1,
    ],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  const next = hasNext ? { column, order, name: last.name, value: last.sort_value } : undefined;
  return {
    hasNext,
    ...(next && { nextCursor: Buffer.from(JSON.stringify(next)).toString("base64url") }),
    folders: page
      .filter((entry) => entry.id === null)
      .map(({ name }) => ({ name, key: keyOf(name, request) })),
    objects: page
      .filter((entry) => entry.id !== null)
      .map((entry) => ({
        id: entry.id,
        name: entry.name,
        key: keyOf(entry.name, request),
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        last_accessed_at: entry.last_accessed_at,
        metadata: entry.metadata,
      })),
  };
}
