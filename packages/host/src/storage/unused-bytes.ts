import { isVersion } from "./blob-store.ts";
import type { StorageParts } from "./parts.ts";

/** An upload may take this long between its bytes and its row; younger bytes are nobody's business yet. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Removes those versions no row speaks of. Asking first matters: after a lost connection nobody knows whether
 * the row was written. What fails here, the sweep at the next start finds.
 */
export async function removeUnused(
  parts: StorageParts,
  versions: readonly (string | null)[],
): Promise<void> {
  const candidates = versions.filter(isVersion);
  if (candidates.length === 0) return;
  try {
    const { rows } = await parts.context.db.background.query<{ version: string }>(
      `select version from unnest($1::text[]) as candidate (version)
        where not exists (select from storage.objects o where o.version = candidate.version)`,
      [candidates],
    );
    await parts.blobs.remove(rows.map((row) => row.version));
  } catch (error) {
    parts.context.log.warn({ err: error }, "stored bytes could not be removed");
  }
}

/** Removes what killed processes and broken connections left behind. */
export async function sweepUnused(parts: StorageParts): Promise<void> {
  const before = parts.context.now() - YOUNG_MS;
  await parts.staging.sweep(before);
  for await (const versions of parts.blobs.list(before)) await removeUnused(parts, versions);
}
