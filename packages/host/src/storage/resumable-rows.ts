// Keeps in the database how far each resumable upload has come, and what may be left unfinished.

import { inTransaction } from "../postgres/database.ts";
import { removeOrphanedBlobs } from "./orphaned-blobs.ts";
import { storageErrors } from "./storage-errors.ts";
import type { StorageServices } from "./storage-services.ts";

/** An upload can be continued for a day, as on hosted Supabase. */
export const resumableLifetimeMs = 24 * 60 * 60 * 1000;
/** Announced bytes and number of uploads that one account may leave unfinished, and bytes of all accounts. */
export const resumableLimits = {
  accountBytes: 512 * 1024 ** 2,
  accountUploads: 20,
  allBytes: 20 * 1024 ** 3,
  /** Parts of one upload: each request adds one. */
  parts: 1000,
};
/** Taken while an upload is admitted, so that several at once count each other. */
const admissionLockKey = 4_710_341;
/** Longer than checking and storing the largest file takes. */
const claimS = 180;
const expireEveryMs = 60 * 60 * 1000;

/** An upload that was begun. */
export interface ResumableUpload {
  id: string;
  owner: string;
  bucket: string;
  name: string;
  /** Bytes, announced and received. */
  size: number;
  received: number;
  parts: string[];
  /** `Upload-Metadata` as the client sent it. */
  metadata: string;
  upsert: boolean;
  operation: string;
  createdAt: Date;
  isFinished: boolean;
}

const columns = `id::text, owner, bucket_id as bucket, name, size::float8, received::float8, parts::text[], metadata, upsert,
  operation, created_at as "createdAt", finished_at is not null as "isFinished"`;

/** @throws {StorageError} 429 when too much is unfinished already */
export async function insertUpload(
  { context }: StorageServices,
  upload: Omit<ResumableUpload, "received" | "parts" | "createdAt" | "isFinished">,
): Promise<void> {
  const { id, owner, bucket, name, size, metadata, upsert, operation } = upload;
  const now = new Date(context.now());
  await inTransaction(context.db.lookups, async (client) => {
    await client.query("select pg_advisory_xact_lock($1)", [admissionLockKey]);
    const { rows } = await client.query<{ bytes: number; uploads: number; all: number }>(
      `select coalesce(sum(size) filter (where owner = $1), 0)::float8 as bytes,
         count(*) filter (where owner = $1)::int as uploads, coalesce(sum(size), 0)::float8 as all
       from host.resumable_uploads where finished_at is null and created_at > $2`,
      [owner, new Date(now.getTime() - resumableLifetimeMs)],
    );
    const [used] = rows;
    if (
      used === undefined ||
      used.bytes + size > resumableLimits.accountBytes ||
      used.uploads >= resumableLimits.accountUploads ||
      used.all + size > resumableLimits.allBytes
    ) {
      throw storageErrors.tooManyUploads();
    }
    await client.query(
      `insert into host.resumable_uploads (id, owner, bucket_id, name, size, metadata, upsert, operation, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, owner, bucket, name, size, metadata, upsert, operation, now],
    );
  });
}

/** The upload, if this owner began it and it has not expired. */
export async function findUpload(
  { context }: StorageServices,
  id: string,
  owner: string,
): Promise<ResumableUpload | undefined> {
  const { rows } = await context.db.lookups.query<ResumableUpload>(
    `select ${columns} from host.resumable_uploads where id = $1 and owner = $2 and created_at > $3`,
    [id, owner, new Date(context.now() - resumableLifetimeMs)],
  );
  return rows[0];
}

/** Adds a part behind `received`. @returns false when another request has gone on meanwhile */
export async function addPart(
  { context }: StorageServices,
  { id, received }: Pick<ResumableUpload, "id" | "received">,
  part: { version: string; size: number },
): Promise<boolean> {
  const { rowCount } = await context.db.lookups.query(
    `update host.resumable_uploads set received = received + $3, parts = parts || $4::uuid
      where id = $1 and received = $2 and finished_at is null and received + $3 < size`,
    [id, received, part.size, part.version],
  );
  return rowCount === 1;
}

/** Makes this the one request that completes the upload. @returns false when another one does, or has gone on */
export async function claimUpload(
  { context }: StorageServices,
  { id, received }: Pick<ResumableUpload, "id" | "received">,
): Promise<boolean> {
  const { rowCount } = await context.db.lookups.query(
    `update host.resumable_uploads set claimed_until = clock_timestamp() + make_interval(secs => $3)
      where id = $1 and received = $2 and finished_at is null
        and (claimed_until is null or claimed_until < clock_timestamp())`,
    [id, received, claimS],
  );
  return rowCount === 1;
}

/** Lets another request complete the upload, after a failure that may pass. */
export async function unclaimUpload({ context }: StorageServices, id: string): Promise<void> {
  await context.db.lookups.query(
    "update host.resumable_uploads set claimed_until = null where id = $1",
    [id],
  );
}

/** Notes that the object is there; the parts are removed. */
export async function finishUpload(
  services: StorageServices,
  { id, parts }: Pick<ResumableUpload, "id" | "parts">,
): Promise<void> {
  await services.context.db.lookups.query(
    "update host.resumable_uploads set received = size, parts = '{}', finished_at = clock_timestamp() where id = $1",
    [id],
  );
  await removeOrphanedBlobs(services, parts);
}

/** Forgets an upload and removes its parts. */
export async function removeUpload(services: StorageServices, id: string): Promise<void> {
  const { rows } = await services.context.db.lookups.query<{ parts: string[] }>(
    "delete from host.resumable_uploads where id = $1 returning parts::text[]",
    [id],
  );
  await removeOrphanedBlobs(
    services,
    rows.flatMap(({ parts }) => parts),
  );
}

/** Forgets uploads that have expired, and removes their parts. */
export async function removeExpiredUploads(services: StorageServices): Promise<void> {
  const { rows } = await services.context.db.lookups.query<{ parts: string[] }>(
    "delete from host.resumable_uploads where created_at <= $1 returning parts::text[]",
    [new Date(services.context.now() - resumableLifetimeMs)],
  );
  await removeOrphanedBlobs(
    services,
    rows.flatMap(({ parts }) => parts),
  );
}

/** Removes expired uploads at the start and every hour. Failures are logged. */
export function expireUploads(services: StorageServices): void {
  const expire = () => {
    removeExpiredUploads(services).catch((error: unknown) => {
      services.context.log.warn({ err: error }, "expired uploads could not be removed");
    });
  };
  expire();
  setInterval(expire, expireEveryMs).unref();
}
