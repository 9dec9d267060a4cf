// Accepts the `iss` claim of every address the install has had, so that a new PUBLIC_URL signs nobody out.

import type { Logger } from "pino";
import type { Queryable } from "../postgres/database.ts";

/** Token issuers of this install: one for each address it was ever served under. */
export interface Issuers {
  /** True when this install issued tokens under that issuer. */
  accepts: (issuer: string) => Promise<boolean>;
}

/**
 * Records the issuer of the current address. Sessions that began under an earlier address of the same database stay
 * valid; tokens of another install are rejected, even if it shares the secret.
 */
export async function loadIssuers(
  db: Queryable,
  publicUrl: string,
  log: Pick<Logger, "info">,
): Promise<Issuers> {
  const current = `${publicUrl}/auth/v1`;
  const read = async () => {
    const { rows } = await db.query<{ issuer: string }>("select issuer from host.issuers");
    return new Set(rows.map(({ issuer }) => issuer));
  };
  let known = await read();
  if (!known.has(current)) {
    await db.query(
      "insert into host.issuers (issuer) values ($1) on conflict (issuer) do nothing",
      [current],
    );
    if (known.size > 0) {
      log.info({ current }, "the address has changed; sessions of earlier addresses go on");
    }
    known.add(current);
  }
  return {
    accepts: async (issuer) => {
      // Another host on this database may have started under a new address since.
      if (!known.has(issuer)) known = await read();
      return known.has(issuer);
    },
  };
}
