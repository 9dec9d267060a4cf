// Rows of `auth.identities` for accounts at providers, and what the account says of its ways to sign in.

import type { Queryable } from "../../postgres/database.ts";
import { sqlStates } from "../../postgres/sql-states.ts";
import type { ProviderAccount } from "../providers/provider-kinds.ts";
import { mergeUserMetadata } from "../routes/request-fields.ts";
import { setEmailIdentity, type User } from "./users.ts";

const identityUniqueConstraint = "identities_provider_id_provider_unique";

/** True when a statement failed because the account at the provider is linked already. */
export function isIdentityTaken(error: unknown): boolean {
  const failure = error as { code?: string; constraint?: string };
  return (
    failure.code === sqlStates.uniqueViolation && failure.constraint === identityUniqueConstraint
  );
}

/** The id of the account that an account at a provider opens. */
export async function findIdentityOwner(
  db: Queryable,
  { provider, subject }: ProviderAccount,
): Promise<string | undefined> {
  const { rows } = await db.query<{ user_id: string }>(
    "select user_id from auth.identities where provider = $1 and provider_id = $2",
    [provider, subject],
  );
  return rows[0]?.user_id;
}

/** Stores what a provider says of its account now. */
export async function updateIdentity(db: Queryable, account: ProviderAccount): Promise<void> {
  await db.query(
    `update auth.identities set identity_data = $3, last_sign_in_at = now(), updated_at = now()
      where provider = $1 and provider_id = $2`,
    [account.provider, account.subject, JSON.stringify(account.data)],
  );
}

/**
 * Writes the ways to sign in into the account's app metadata, the first one also as `provider`. The e-mail address counts
 * beside others only while there is a password.
 */
export async function updateProviders(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `with kept as (
       select i.provider, min(i.created_at) as since from auth.identities i join auth.users u on u.id = i.user_id
        where i.user_id = $1 and (i.provider <> 'email' or u.encrypted_password <> ''
          or not exists (select from auth.identities o where o.user_id = $1 and o.provider <> 'email'))
        group by i.provider)
     update auth.users set updated_at = now(), raw_app_meta_data = coalesce(raw_app_meta_data, '{}')
         || coalesce((select jsonb_build_object('providers', jsonb_agg(provider order by since, provider),
              'provider', (array_agg(provider order by since, provider))[1]) from kept having count(*) > 0), '{}')
      where id = $1`,
    [userId],
  );
}

/** Adds what a provider says of a person to the metadata of a new or just linked account, if there is room. */
export async function addProviderMetadata(
  db: Queryable,
  user: Pick<User, "id" | "raw_user_meta_data">,
  { data }: ProviderAccount,
): Promise<void> {
  let merged: Record<string, unknown>;
  try {
    merged = mergeUserMetadata(user.raw_user_meta_data ?? {}, data);
  } catch {
    return;
  }
  await db.query("update auth.users set raw_user_meta_data = $2 where id = $1", [
    user.id,
    JSON.stringify(merged),
  ]);
}

/**
 * True when it has been shown that the account's address is theirs: by a link sent to it, by a provider, or because the
 * service role says so. An address that counts as confirmed because no confirmation is asked for has not been proved.
 */
export function isAddressProved(user: User): boolean {
  if (user.email_confirmed_at === null || user.email === null) return false;
  const address = user.email.toLowerCase();
  return user.identities.some(
    ({ email, identity_data: data }) => email === address && data["email_verified"] === true,
  );
}

/** Adds the e-mail address to the ways to sign in of an account that gets its first password. */
export async function addEmailIdentity(db: Queryable, user: User): Promise<void> {
  const { id, email, identities } = user;
  if (email === null || user.email_confirmed_at === null) return;
  if (!identities.some(({ provider }) => provider === "email")) {
    await setEmailIdentity(db, id, email, isAddressProved(user));
  }
  if (identities.some(({ provider }) => provider !== "email")) await updateProviders(db, id);
}
