// Queries on `auth.users` and `auth.identities` that several auth routes share.

import { randomUUID } from "node:crypto";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { ProviderAccount } from "../providers/provider-kinds.ts";
import { insertIdentity } from "./insert-identity.ts";
import { factorsJsonSql, type FactorJson } from "../mfa/factor-json.ts";
import { sqlStates } from "../../postgres/sql-states.ts";

/** Default role, and audience, of accounts. */
export const authenticatedRole = "authenticated";

type Json = Record<string, unknown>;

/** A row of `auth.identities`: one sign-in method of an account. */
export interface Identity {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Json;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string;
  updated_at: string;
  email: string | null;
}

/** An account: the columns the API needs, its identities and its factors. */
export interface User {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmed_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Json | null;
  raw_user_meta_data: Json | null;
  created_at: Date;
  updated_at: Date;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_anonymous: boolean;
  identities: Identity[];
  /** Null where there are none. */
  factors: FactorJson[] | null;
}

/** Selects accounts with identities and factors; append a `where` clause over `u`. */
export const selectUsersSql = `select u.*, coalesce(
    (select json_agg(to_json(i) order by i.created_at) from auth.identities i where i.user_id = u.id),
    '[]') as identities,
  ${factorsJsonSql} as factors
  from auth.users u`;

const emailUniqueIndex = "users_email_partial_key";

/** True when a statement failed because another account has the e-mail address. */
export function isEmailTaken(error: unknown): boolean {
  const failure = error as { code?: string; constraint?: string };
  return failure.code === sqlStates.uniqueViolation && failure.constraint === emailUniqueIndex;
}

/** 422 when another account has the address. */
export function emailExists(): AuthError {
  const message = "A user with this email address has already been registered";
  return new AuthError(422, "email_exists", message);
}

/** @param email in lower case. */
export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `${selectUsersSql} where lower(u.email) = $1 and u.is_sso_user = false`,
    [email],
  );
  return rows[0];
}

/** @returns undefined when there is no such account */
export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`${selectUsersSql} where u.id = $1`, [id]);
  return rows[0];
}

/** @throws {AuthError} 404 when the account is gone. */
export async function getUser(db: Queryable, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

/** True while an account is banned. @param now epoch milliseconds */
export function isBanned(user: Pick<User, "banned_until">, now: number): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > now;
}

/** Fields of a new account. */
export interface NewUser {
  id?: string;
  email: string;
  /** Null when the account cannot sign in with a password. */
  passwordHash: string | null;
  metadata: Json;
  appMetadata?: Json;
  role?: string;
  confirmed?: boolean;
  /** True when a confirmed address was only taken as given, because no confirmation is asked for. */
  isUnproved?: boolean;
  /** The account at a provider that opens it, in place of the e-mail identity. */
  account?: ProviderAccount;
}

/**
 * Creates an account and its first identity, in the caller's transaction.
 * @returns the id of the account.
 * @throws when the address is taken; see `isEmailTaken`.
 */
export async function insertUser(db: Queryable, user: NewUser): Promise<string> {
  const id = user.id ?? randomUUID();
  const confirmed = user.confirmed ?? false;
  const metadata = confirmed ? { ...user.metadata, email_verified: true } : user.metadata;
  const provider = user.account?.provider ?? "email";
  const appMetadata = { provider, providers: [provider], ...user.appMetadata };
  await db.query(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
       raw_user_meta_data, email_confirmed_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, case when $8 then now() end)`,
    [
      id,
      authenticatedRole,
      user.role ?? authenticatedRole,
      user.email,
      user.passwordHash,
      JSON.stringify(appMetadata),
      JSON.stringify(metadata),
      confirmed,
    ],
  );
  if (user.account) await insertIdentity(db, id, user.account);
  else await setEmailIdentity(db, id, user.email, confirmed && user.isUnproved !== true);
  return id;
}

/** Creates or updates the e-mail identity of an account. */
export async function setEmailIdentity(
  db: Queryable,
  userId: string,
  email: string,
  verified: boolean,
): Promise<void> {
  const data = { sub: userId, email, email_verified: verified, phone_verified: false };
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at)
     values ($1::uuid::text, $1::uuid, $2, 'email', now())
     on conflict (provider_id, provider) do update
       set identity_data = identities.identity_data || excluded.identity_data, updated_at = now()`,
    [userId, JSON.stringify(data)],
  );
}

/**
 * Confirms the address of an account and invalidates every other pending sign-up for it. Password reset links stay
 * valid: they were sent to the same address.
 */
export async function confirmUser(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `update auth.users set email_confirmed_at = now(), updated_at = now(),
       raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}'
     where id = $1`,
    [userId],
  );
  await db.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId],
  );
  await db.query(
    "delete from auth.one_time_tokens where user_id = $1 and token_type = 'confirmation_token'",
    [userId],
  );
  // With several sign-ups it is unknown which password is the owner's. A caller who knows sets it afterwards.
  await db.query(
    `with contested as (delete from host.contested_sign_ups where user_id = $1 returning user_id)
     update auth.users set encrypted_password = null where id in (select user_id from contested)`,
    [userId],
  );
}

/** Sets the password and metadata of the sign-up whose link was opened. */
export async function applySignUp(
  db: Queryable,
  userId: string,
  signUp: { passwordHash: string | null; metadata: Json | null },
): Promise<void> {
  const verified = signUp.metadata && { ...signUp.metadata, email_verified: true };
  await db.query(
    `update auth.users set encrypted_password = $2, raw_user_meta_data = coalesce($3, raw_user_meta_data)
      where id = $1`,
    [userId, signUp.passwordHash, verified && JSON.stringify(verified)],
  );
}

/** Key in the app metadata of an account with a one-time password: an ISO date, removed when a new password is set. */
export const passwordExpiresAt = "password_expires_at";

/** True when an account still has a one-time password and it has expired. */
export function isPasswordExpired(user: Pick<User, "raw_app_meta_data">, now: number): boolean {
  const expires = user.raw_app_meta_data?.[passwordExpiresAt];
  if (expires === undefined) return false;
  return typeof expires !== "string" || !(Date.parse(expires) > now);
}

/**
 * Invalidates every link and code of an account, including auth codes of opened PKCE links.
 * @param keepFlow the PKCE flow of the link that is being opened; it stays valid.
 */
export async function invalidateLinks(
  db: Queryable,
  userId: string,
  keepFlow: string | null = null,
): Promise<void> {
  await db.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  await db.query(
    `delete from auth.flow_state
      where (user_id = $1 or linking_target_id = $1) and id is distinct from $2::uuid`,
    [userId, keepFlow],
  );
}

/**
 * Stores a new password hash, invalidates every link, code and pending change of address, and ends every session
 * except `keepSession`. It also clears the one-time password mark and the recovery mark of the kept session.
 */
export async function replacePassword(
  db: Queryable,
  userId: string,
  passwordHash: string,
  keepSession: string | undefined,
): Promise<void> {
  await db.query(
    `update auth.users set encrypted_password = $2, raw_app_meta_data = raw_app_meta_data - $3::text,
       email_change = '', email_change_sent_at = null, email_change_confirm_status = 0, updated_at = now()
      where id = $1`,
    [userId, passwordHash, passwordExpiresAt],
  );
  await db.query(
    `update auth.mfa_amr_claims set authentication_method = 'otp'
      where session_id = $1 and authentication_method = 'recovery'`,
    [keepSession ?? null],
  );
  await invalidateLinks(db, userId);
  await db.query("delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid", [
    userId,
    keepSession ?? null,
  ]);
}
