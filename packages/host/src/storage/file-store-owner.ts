// Holds a database and the store of its files together, on every host that serves them.

import { randomUUID } from "node:crypto";
import type pg from "pg";
import { BootError } from "../boot-error.ts";
import type { BlobStore } from "./blob-store.ts";

/** Advisory lock of hosts that start at the same moment. */
const lockKey = 4_710_338;

const ways =
  "Share the folder of the files between all hosts, set S3_BUCKET on each of them, or, where the files are in place, run `npm run storage -- adopt`.";

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
 * Checks that a store keeps the files of this database, by an id that both hold. A new database and a new store get one. A new
 * bucket also takes the place of a folder that no file was stored in; a folder never does, because it may be a second host's.
 * Runs in the caller's transaction.
 * @param place the folder or bucket, for the message
 * @throws {BootError} when one of them belongs to another
 */
export async function assertStoreOfDatabase(
  client: pg.ClientBase,
  store: BlobStore,
  { place, isBucket }: { readonly place: string; readonly isBucket: boolean },
): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [lockKey]);
  const wanted = await idInDatabase(client);
  const found = await store.readMarker();
  const isFirst = wanted === undefined || (isBucket && !(await hasFiles(client)));
  if (found === undefined && isFirst) {
    const id = randomUUID();
    await store.writeMarker(id);
    await client.query(
      "insert into host.file_store (id) values ($1) on conflict (is_only) do update set id = excluded.id",
      [id],
    );
    return;
  }
  if (wanted === found) return;
  if (found === undefined) {
    throw new BootError(`${place} does not hold the files of this database. ${ways}`);
  }
  throw new BootError(`${place} holds the files of another database. ${ways}`);
}

/**
 * Declares a store the one of this database, whatever either held before. Runs in the caller's transaction.
 * @throws what the store throws when it can't be written
 */
export async function adoptStore(client: pg.ClientBase, store: BlobStore): Promise<void> {
  await client.query("select pg_advisory_xact_lock($1)", [lockKey]);
  const id = (await idInDatabase(client)) ?? randomUUID();
  await store.writeMarker(id);
  await client.query("insert into host.file_store (id) values ($1) on conflict do nothing", [id]);
}
