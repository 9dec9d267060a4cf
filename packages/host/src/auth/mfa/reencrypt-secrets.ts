// Encrypts the secrets of second factors with the current data key, while the previous one is still known.

import type { DerivedKeys } from "../../data-keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { decryptSecret, encryptSecret, isEncryptedWith } from "./totp.ts";

const batchRows = 1000;

/** Goes through all factors. What neither key opens is left as it is: it was lost before. */
export async function reencryptSecrets(db: Queryable, keys: DerivedKeys): Promise<void> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await db.query<{ id: string; secret: string }>(
      `select id, secret from auth.mfa_factors where secret is not null and id > $1 order by id limit ${batchRows}`,
      [after],
    );
    for (const { id, secret } of rows) {
      const [current = "", previous = ""] = keys.deriveAll("totp secret", id);
      if (isEncryptedWith(current, secret) || !isEncryptedWith(previous, secret)) continue;
      // Compared, because the factor may have been replaced or removed meanwhile.
      await db.query("update auth.mfa_factors set secret = $3 where id = $1 and secret = $2", [
        id,
        secret,
        encryptSecret(keys, id, decryptSecret(keys, id, secret)),
      ]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchRows) return;
    after = last.id;
  }
}
