// Sees that a host has the data key its database was made with, and moves the database to a new one.

import type pg from "pg";
import { reencryptSecrets } from "../auth/mfa/reencrypt-secrets.ts";
import { BootError } from "../boot-error.ts";
import { derivedKeys, type DataKeys } from "../data-keys.ts";

/**
 * Records the data key of a new database, and refuses one that is neither the database's nor follows it. While both are
 * given, everything that is encrypted with the previous one is encrypted anew, so that it can be taken away.
 * @param owner holds the lock under which schemas change
 * @throws {BootError}
 */
export async function claimDataKey(owner: pg.Client, dataKeys: DataKeys): Promise<void> {
  const keys = derivedKeys(dataKeys);
  const [current = "", previous] = keys.deriveAll("data key fingerprint", "");
  const { rows } = await owner.query<{ fingerprint: string }>(
    "select fingerprint from host.data_key",
  );
  const known = rows[0]?.fingerprint;
  if (known !== undefined && known !== current && known !== previous) {
    throw new BootError(
      "The data key of this host is not that of the database. Set DATA_KEY to the database's, the same on every host: " +
        "it is DATA_KEY where the database was used before, or else dataKey in secrets.json of the DATA_DIR there. " +
        "To replace it, set DATA_KEY_PREVIOUS to it.",
    );
  }
  if (previous !== undefined) await reencryptSecrets(owner, keys);
  if (known === current) return;
  await owner.query(
    `insert into host.data_key (fingerprint) values ($1)
     on conflict (only_row) do update set fingerprint = excluded.fingerprint, claimed_at = now()`,
    [current],
  );
}
