// Deletes stored bytes that no row refers to any more, after a change and at each start.

import { mayRemoveBlobs } from "../backup/backup-lock.ts";
import { inTransaction } from "../postgres/database.ts";
import { isVersion } from "./blob-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** Younger bytes may belong to an upload whose row is not written yet. */
const minOrphanAgeMs = 60 * 60 * 1000;
const sweepIntervalMs = 24 * 60 * 60 * 1000;
/** Advisory lock of the one host that sweeps. */
const sweepLockKey = 4_710_339;
/** How long a removal waits that a running backup holds up. */
const retryMs = 2000;

/**
 * Removes those versions that no row refers to. The rows are read first, because after a lost connection it is not
 * known whether a row was written. While a backup runs nothing is removed and the call is repeated later. Failures are
 * logged; the sweep at the next start tries again.
 */
export async function removeOrphanedBlobs(
  services: StorageServices,
  versions: readonly (string | null)[],
): Promise<void> {
  const candidates = versions.filter(isVersion);
  if (candidates.length === 0) return;
  try {
    const isDone = await inTransaction(services.context.db.background, async (client) => {
      if (!(await mayRemoveBlobs(client))) return false;
      const { rows } = await client.query<{ version: string }>(
        `select version from unnest($1::text[]) as candidate (version)
          where not exists (select from storage.objects o where o.version = candidate.version)
            and not exists (select from host.resumable_uploads u where candidate.version = any (u.parts::text[]))`,
        [candidates],
      );
      await services.blobs.remove(rows.map((row) => row.version));
      return true;
    });
    if (isDone) return;
    setTimeout(() => void removeOrphanedBlobs(services, candidates), retryMs).unref();
  } catch (error) {
    services.context.log.warn({ err: error }, "stored bytes could not be removed");
  }
}

/** Removes staged files and stored bytes that interrupted uploads left behind. One host at a time looks at the stored bytes. */
export async function sweepOrphanedBlobs(services: StorageServices): Promise<void> {
  const before = services.context.now() - minOrphanAgeMs;
  await services.staging.sweep(before);
  const client = await services.context.db.background.connect();
  let broken: Error | undefined;
  try {
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1) as held",
      [sweepLockKey],
    );
    if (rows[0]?.held !== true) return;
    for await (const versions of services.blobs.list(before))
      await removeOrphanedBlobs(services, versions);
    await client.query("select pg_advisory_unlock($1)", [sweepLockKey]);
  } catch (error) {
    // The lock ends with its connection.
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Sweeps at the start and every day, for hosts that run for months. Failures are logged. */
export function sweepEveryDay(services: StorageServices): void {
  const sweep = () => {
    sweepOrphanedBlobs(services).catch((error: unknown) => {
      services.context.log.warn({ err: error }, "stored files could not be swept");
    });
  };
  sweep();
  setInterval(sweep, sweepIntervalMs).unref();
}
