// Reads and writes rows of `storage.objects` and `storage.buckets`, as the caller or as the host itself.

import type pg from "pg";
import type { HostContext } from "../context.ts";
import type { Caller } from "../keys.ts";
import type { Queryable } from "../postgres/database.ts";
import { storageErrors, toStorageError } from "./storage-errors.ts";
import { isUuid } from "../uuid.ts";

/** Metadata of a stored file, set by the host. */
export interface ObjectMetadata {
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
}

/** A row of storage.objects. */
export interface ObjectRow {
  id: string;
  bucket_id: string;
  name: string;
  owner: string | null;
  owner_id: string | null;
  version: string | null;
  metadata: Partial<ObjectMetadata> | null;
  user_metadata: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
  last_accessed_at: Date | null;
}

/** A row of storage.buckets. */
export interface BucketRow {
  id: string;
  name: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** Runs `work` in a transaction as the caller; errors of Postgres become storage errors. */
export async function asCaller<T>(
  context: HostContext,
  caller: Caller,
  operation: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  try {
    return await context.db.asCaller(caller, async (client) => {
      await client.query(
        `select set_config('storage.operation', $1, true),
                set_config('storage.allow_delete_query', 'true', true)`,
        [`storage.${operation}`],
      );
      return await work(client);
    });
  } catch (error) {
    throw toStorageError(error) ?? error;
  }
}

class DryRunRollback extends Error {}

/** Runs `work` as the caller and rolls it back. Throws if it is not allowed. */
export async function dryRun(
  context: HostContext,
  caller: Caller,
  operation: string,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  try {
    await asCaller(context, caller, operation, async (client) => {
      await work(client);
      throw new DryRunRollback();
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
}

/**
 * The bucket, without asking the policies: its limits apply to every caller.
 * @throws {StorageError} NoSuchBucket
 */
export async function findBucket(context: HostContext, id: string): Promise<BucketRow> {
  const { rows } = await context.db.lookups.query<BucketRow>(
    `select id, name, coalesce(public, false) as public, file_size_limit::float8, allowed_mime_types
       from storage.buckets where id = $1`,
    [id],
  );
  if (rows[0] === undefined) throw storageErrors.noSuchBucket();
  return rows[0];
}

/**
 * The object, if it is visible to `db`.
 * @throws {StorageError} NoSuchKey when it is missing or hidden by a policy.
 */
export async function findObject(db: Queryable, bucket: string, name: string): Promise<ObjectRow> {
  const { rows } = await db.query<ObjectRow>(
    "select * from storage.objects where bucket_id = $1 and name = $2",
    [bucket, name],
  );
  if (rows[0] === undefined) throw storageErrors.noSuchKey();
  return rows[0];
}

/**
 * Locks the name until the transaction ends and returns its current version, even if the caller cannot see it.
 * The transaction continues as the caller.
 */
export async function lockObjectName(
  client: pg.PoolClient,
  caller: Caller,
  bucket: string,
  name: string,
): Promise<string | null> {
  await client.query(
    "select pg_advisory_xact_lock(hashtextextended($1, 0)), set_config('role', 'service_role', true)",
    [`storage.objects:${bucket}/${name}`],
  );
  const { rows } = await client.query<{ version: string | null }>(
    "select version from storage.objects where bucket_id = $1 and name = $2 for update",
    [bucket, name],
  );
  await client.query("select set_config('role', $1, true)", [caller.role]);
  return rows[0]?.version ?? null;
}

/** A row about to be written. */
export interface NewObject {
  id: string;
  bucket: string;
  name: string;
  owner: string | undefined;
  metadata: Partial<ObjectMetadata>;
  userMetadata: Record<string, unknown>;
  version: string;
}

const insertSql = `insert into storage.objects
  (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const upsertSql = `${insertSql} on conflict (bucket_id, name) do update
  set metadata = excluded.metadata, user_metadata = excluded.user_metadata, version = excluded.version,
      owner = coalesce(excluded.owner, objects.owner),
      owner_id = coalesce(excluded.owner_id, objects.owner_id)
  returning id`;

/** The owner columns: both for an account, only the text for any other subject. */
export function ownerColumns(owner: string | undefined): [string | null, string | null] {
  return [isUuid(owner) ? owner : null, owner ?? null];
}

/**
 * Writes the row under the policies that apply to `db`: insert only, or insert, select and update for an upsert.
 * @returns the id of the row.
 */
export async function writeObject(
  db: Queryable,
  object: NewObject,
  upsert: boolean,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(upsert ? upsertSql : insertSql, [
    object.id,
    object.bucket,
    object.name,
    ...ownerColumns(object.owner),
    object.metadata,
    object.userMetadata,
    object.version,
  ]);
  return rows[0]?.id ?? object.id;
}
