import type { Queryable } from "../../postgres/database.ts";
import type { ProviderAccount } from "../providers/provider-kinds.ts";

/**
 * Adds an account at a provider to an account.
 * @returns the id of the identity.
 * @throws when it is linked already; see `isIdentityTaken`.
 */
export async function insertIdentity(
  db: Queryable,
  userId: string,
  account: ProviderAccount,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1, $2, $3, $4, now()) returning id`,
    [account.subject, userId, JSON.stringify(account.data), account.provider],
  );
  return rows[0]?.id ?? "";
}
