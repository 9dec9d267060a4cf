// Deletes stored bytes that no row refers to any more, after a change and at each start.

import { mayRemoveBlobs } from "../backup/backup-lock.ts";
import { inTransaction } from "../postgres/database.ts";
import { isVersion } from "./blob-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** Younger bytes may belong to an upload whose row is not written yet. */
const minOrphanAgeMs = 60 * 60 * 1000;
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
          where not exists (select from storage.objects o where o.version = candidate.version)`,
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

/** Removes staged files and stored bytes that interrupted uploads left behind. */
export async function sweepOrphanedBlobs(services: StorageServices): Promise<void> {
  const before = services.context.now() - minOrphanAgeMs;
  await services.staging.sweep(before);
  for await (const versions of services.blobs.list(before))
    await removeOrphanedBlobs(services, versions);
}
