// Holds a database and the store of its files together, on every host that serves them.

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { BootError } from "../boot-error.ts";
import type { BlobStore } from "./blob-store.ts";

/** Advisory lock of hosts that start at the same moment. */
const lockKey = 4_710_338;

const ways =
  "Share the folder of the files between all hosts, set S3_BUCKET on each of them, or, once the files are in place, run `npm run storage -- adopt bucket` or `adopt folder`.";

/** A store, and what it is called. */
export interface NamedStore {
  readonly blobs: BlobStore;
  /** The folder or bucket, for messages. */
  readonly place: string;
  /** Undefined for a folder. */
  readonly bucket: string | undefined;
}

async function idInDatabase(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>("select id::text from host.file_store");
  return rows[0]?.id;
}

async function hasFiles(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    "select exists (select from storage.objects where version is not null) as found",
  );
  return rows[0]?.found === true;
}

/**
 * Makes a store the one of this database, by a new id that both hold. Hosts that start with another one are refused from then on.
 * Runs in the caller's transaction.
 * @throws {StorageError} when the store can't be written
 */
export async function adoptStore(
  client: pg.ClientBase,
  { blobs, bucket }: NamedStore,
): Promise<void> {
  const id = randomUUID();
  await blobs.writeMarker(id);
  await client.query(
    `insert into host.file_store (id, bucket) values ($1, $2)
     on conflict (is_only) do update set id = excluded.id, bucket = excluded.bucket`,
    [id, bucket ?? null],
  );
}

/**
 * Checks that a store keeps the files of this database. A new database and a new store become each other's. A new bucket also
 * takes the place of a folder that no file was stored in; a folder never does, because it may be a second host's. Runs in the caller's
 * transaction.
 * @throws {BootError} when one of them belongs to another
 */
export async function assertStoreOfDatabase(
  client: pg.ClientBase,
  store: NamedStore,
): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [lockKey]);
  const wanted = await idInDatabase(client);
  const found = await store.blobs.readMarker();
  if (wanted === found && wanted !== undefined) return;
  if (found !== undefined) {
    throw new BootError(`${store.place} holds the files of another database. ${ways}`);
  }
  const isNew = wanted === undefined || (store.bucket !== undefined && !(await hasFiles(client)));
  if (!isNew) {
    throw new BootError(`${store.place} does not hold the files of this database. ${ways}`);
  }
  await adoptStore(client, store);
}
