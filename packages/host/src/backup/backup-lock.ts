// Advisory locks that let one backup run at a time and keep stored files from being deleted meanwhile.

import type pg from "pg";
import { BootError } from "../boot-error.ts";

/** Advisory lock of the one backup that may run over a database. */
const backupLockKey = 4_710_334;
/** Advisory lock that a backup holds alone, and everything that removes stored bytes shares. */
const removalLockKey = 4_710_335;
/** The connection of a killed backup may hold its lock a moment longer than its process lives. */
const lockWaitMs = 2000;
/** Postgres's code of a lock that was not free in time. */
const lockNotAvailable = "55P03";

/** Another backup of the same database is running. */
export class BackupRunningError extends BootError {}

/**
 * Keeps other backups away, and stored bytes in place, while `work` runs. Rows that the backup holds may refer to bytes that are
 * no longer needed a moment later.
 * @param client keeps its connection until the end; the locks end with it
 * @throws {BackupRunningError} when a backup is running
 */
export async function withBackupLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    await client.query(`set lock_timeout = ${lockWaitMs}`);
    await client.query("select pg_advisory_lock($1)", [backupLockKey]);
    await client.query("reset lock_timeout");
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    throw new BackupRunningError("A backup is already running.");
  }
  try {
    await client.query("select pg_advisory_lock($1)", [removalLockKey]);
    return await work();
  } finally {
    await client
      .query("select pg_advisory_unlock($1), pg_advisory_unlock($2)", [
        backupLockKey,
        removalLockKey,
      ])
      .catch(() => undefined);
  }
}

/**
 * Locks for the rest of the transaction against a backup that begins.
 * @returns false when one is running, and nothing may be removed
 */
export async function mayRemoveBlobs(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    "select pg_try_advisory_xact_lock_shared($1) as held",
    [removalLockKey],
  );
  return rows[0]?.held === true;
}
