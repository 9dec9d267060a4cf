import type { Logger } from "pino";
import type { Queryable } from "../postgres/database.ts";

/** The addresses this install was ever served under; its tokens name one of them as their issuer. */
export interface Issuers {
  /** True when tokens of this issuer are this install's own. */
  accepts: (issuer: string) => Promise<boolean>;
}

/**
 * Notes the address this host is served under. Sessions that began under an earlier address of the same database
 * go on; tokens of another install are refused, even one that shares the secret.
 */
export async function openIssuers(
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
      // Another host over this database may have come up under another address since.
      if (!known.has(issuer)) known = await read();
      return known.has(issuer);
    },
  };
}
