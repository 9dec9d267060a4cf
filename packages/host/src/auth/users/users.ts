import { randomUUID } from "node:crypto";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import { factorsJsonSql, type FactorJson } from "../mfa/factor-json.ts";

/** Role and audience of every ordinary account. */
export const ORDINARY = "authenticated";

type Json = Record<string, unknown>;

/** One way an account signs in, as its row is read. */
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

/** An account as it is read: the columns the API needs, and its identities. */
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

/** Reads accounts with their identities; a `where` clause over `u` follows. */
export const SELECT_USERS = `select u.*, coalesce(
    (select json_agg(to_json(i) order by i.created_at) from auth.identities i where i.user_id = u.id),
    '[]') as identities,
  ${factorsJsonSql} as factors
  from auth.users u`;

const EMAIL_TAKEN = "users_email_partial_key";

/** True when a statement failed because another account has the e-mail address. */
export function isEmailTaken(error: unknown): boolean {
  const failure = error as { code?: string; constraint?: string };
  return failure.code === "23505" && failure.constraint === EMAIL_TAKEN;
}

export function emailExists(): AuthError {
  const message = "A user with this email address has already been registered";
  return new AuthError(422, "email_exists", message);
}

/** @param email in lower case. */
export async function findUserByEmail(db: Queryable, email: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `${SELECT_USERS} where lower(u.email) = $1 and u.is_sso_user = false`,
    [email],
  );
  return rows[0];
}

export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`${SELECT_USERS} where u.id = $1`, [id]);
  return rows[0];
}

/** @throws {AuthError} 404 when the account is gone. */
export async function getUser(db: Queryable, id: string): Promise<User> {
  const user = await findUser(db, id);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

export function isBanned(user: Pick<User, "banned_until">, now: number): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > now;
}

/** What a new account is made of. */
export interface NewUser {
  id?: string;
  email: string;
  /** Null: the account cannot sign in with a password. */
  passwordHash: string | null;
  metadata: Json;
  appMetadata?: Json;
  role?: string;
  confirmed?: boolean;
}

/**
 * Makes an account and its e-mail identity, in the caller's transaction.
 * @returns the id.
 * @throws when the address is taken; see `isEmailTaken`.
 */
export async function insertUser(db: Queryable, user: NewUser): Promise<string> {
  const id = user.id ?? randomUUID();
  const confirmed = user.confirmed ?? false;
  const metadata = confirmed ? { ...user.metadata, email_verified: true } : user.metadata;
  const appMetadata = { provider: "email", providers: ["email"], ...user.appMetadata };
  await db.query(
    `insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
       raw_user_meta_data, email_confirmed_at)
     values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, case when $8 then now() end)`,
    [
      id,
      ORDINARY,
      user.role ?? ORDINARY,
      user.email,
      user.passwordHash,
      JSON.stringify(appMetadata),
      JSON.stringify(metadata),
      confirmed,
    ],
  );
  await setEmailIdentity(db, id, user.email, confirmed);
  return id;
}

/** Makes or updates the e-mail identity of an account. */
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
 * Marks the address of an account as its own, and voids every other sign-up that waits for it. Links to choose
 * a password stay good: they go to the same address.
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
  // Nobody has shown which of several sign-ups was the owner's; the caller may know, and says so afterwards.
  await db.query(
    `with contested as (delete from host.contested_sign_ups where user_id = $1 returning user_id)
     update auth.users set encrypted_password = null where id in (select user_id from contested)`,
    [userId],
  );
}

/** Gives an account the password and metadata of the sign-up whose link was opened. */
export async function acceptSignUp(
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

/** Metadata of an account whose password is a one-time password: an ISO date, gone once another is chosen. */
export const passwordExpiresAt = "password_expires_at";

/** True when an account still has a one-time password and the time to replace it is over. */
export function isPasswordExpired(user: Pick<User, "raw_app_meta_data">, now: number): boolean {
  const expires = user.raw_app_meta_data?.[passwordExpiresAt];
  if (expires === undefined) return false;
  return typeof expires !== "string" || !(Date.parse(expires) > now);
}

/**
 * Voids every link and code of an account, also the codes that opened PKCE links wait with.
 * @param keepFlow the PKCE flow of the link that is being opened.
 */
export async function voidLinks(
  db: Queryable,
  userId: string,
  keepFlow: string | null = null,
): Promise<void> {
  await db.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  await db.query(
    "delete from auth.flow_state where user_id = $1 and id is distinct from $2::uuid",
    [userId, keepFlow],
  );
}

/**
 * Stores a new password hash, voids every link and code and a change of address that waits, and ends every session but `keepSession`. That the
 * old password was good for one time, or that the session came from a recovery link, is over with it.
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
  await voidLinks(db, userId);
  await db.query("delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid", [
    userId,
    keepSession ?? null,
  ]);
}
