import { randomInt } from "node:crypto";
import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import { hashToken, newToken } from "./hash-token.ts";

/** What a link or code is good for, in the words of the database. */
export type TokenType =
  | "confirmation_token"
  | "reauthentication_token"
  | "recovery_token"
  | "email_change_token_new"
  | "email_change_token_current";

/** Wrong guesses at a short code before it is void; the link beside it still works. */
const MOST_WRONG_CODES = 5;
/** Links of a type that may wait side by side for one account; the oldest beyond that are void. */
const mostLinks = 20;
/** Links of PKCE flows start like this, so that opening one is known to need the code exchange. */
export const PKCE_PREFIX = "pkce_";

/** A link token and, where the e-mail shows one, a short code. */
export interface OneTimeToken {
  token: string;
  code: string | undefined;
}

/** A token that has just been used up. */
export interface UsedToken {
  user_id: string;
  token_type: TokenType;
  /** Password and metadata of the sign-up the link belongs to. */
  password_hash: string | null;
  user_metadata: Record<string, unknown> | null;
  /** The PKCE flow that asked for the link. */
  flow_state_id: string | null;
}

const usedColumns = "user_id, token_type, password_hash, user_metadata, flow_state_id";

function codeHash(auth: AuthContext, type: TokenType, relatesTo: string, code: string): string {
  return auth.keys.derive("one-time code", JSON.stringify([type, relatesTo, code]));
}

/**
 * Makes a link token (256 bits) and, when asked, a short code. Earlier ones of the type stay good until they
 * expire: a stranger who asks for a link must not void the owner's. Only hashes are stored.
 */
export async function makeOneTimeToken(
  auth: AuthContext,
  db: Queryable,
  options: {
    userId: string;
    type: TokenType;
    /** E-mail address the token is sent to. */
    relatesTo: string;
    withCode: boolean;
    /** The PKCE flow that asked for the link, where one did. */
    flow?: string | undefined;
    /** The sign-up a confirmation link belongs to. */
    signUp?: { passwordHash: string | null; metadata: Record<string, unknown> } | undefined;
  },
): Promise<OneTimeToken> {
  const { userId, type, relatesTo, flow, signUp } = options;
  const token = `${flow === undefined ? "" : PKCE_PREFIX}${newToken()}`;
  const digits = auth.settings.email.otp_length;
  const code = options.withCode ? String(randomInt(10 ** digits)).padStart(digits, "0") : undefined;
  await db.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, code_hash,
       flow_state_id, password_hash, user_metadata)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      userId,
      type,
      hashToken(token),
      relatesTo,
      code === undefined ? null : codeHash(auth, type, relatesTo, code),
      flow ?? null,
      signUp?.passwordHash ?? null,
      signUp === undefined ? null : JSON.stringify(signUp.metadata),
    ],
  );
  await db.query(
    `delete from auth.one_time_tokens where id in (
       select id from auth.one_time_tokens where user_id = $1 and token_type = $2
        order by created_at desc, id offset $3)`,
    [userId, type, mostLinks],
  );
  return { token, code };
}

/**
 * Uses up the token of a link, in the caller's transaction, and holds its account: of two links of one account
 * opened at once, one comes first. @returns undefined when it is unknown, used, expired or of another type.
 */
export async function useLink(
  auth: AuthContext,
  db: Queryable,
  token: string,
  types: readonly TokenType[],
): Promise<UsedToken | undefined> {
  await db.query(
    `select 1 from auth.users
      where id = (select user_id from auth.one_time_tokens where token_hash = $1) for update`,
    [hashToken(token)],
  );
  const { rows } = await db.query<UsedToken>(
    `delete from auth.one_time_tokens
      where token_hash = $1 and token_type = any($2::auth.one_time_token_type[])
        and created_at > (now() at time zone 'utc') - make_interval(secs => $3)
      returning ${usedColumns}`,
    [hashToken(token), types, auth.settings.email.otp_expiry],
  );
  return rows[0];
}

/**
 * Uses up a short code sent to `email`. Each call spends one of a few tries before it compares, so that many
 * guesses at once are not more than as many one by one. Not for use inside a transaction that may roll back.
 * @returns undefined when there is no such code.
 */
export async function useCode(
  auth: AuthContext,
  db: Queryable,
  email: string,
  code: string,
  types: readonly TokenType[],
): Promise<UsedToken | undefined> {
  const { rows } = await db.query<UsedToken & { id: string; code_hash: string }>(
    `update auth.one_time_tokens set wrong_codes = wrong_codes + 1
      where relates_to = $1 and token_type = any($2::auth.one_time_token_type[])
        and code_hash is not null and wrong_codes < $3
        and created_at > (now() at time zone 'utc') - make_interval(secs => $4)
      returning id, ${usedColumns}, code_hash`,
    [email, types, MOST_WRONG_CODES, auth.settings.email.otp_expiry],
  );
  const match = rows.find((row) => row.code_hash === codeHash(auth, row.token_type, email, code));
  if (!match) return undefined;
  const deleted = await db.query(
    "delete from auth.one_time_tokens where id = $1 and code_hash = $2",
    [match.id, match.code_hash],
  );
  return deleted.rowCount === 1 ? match : undefined;
}
