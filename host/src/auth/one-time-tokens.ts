import { randomInt } from "node:crypto";
import type { Queryable } from "../postgres/database.ts";
import type { AuthContext } from "./auth-context.ts";
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
}

function codeHash(auth: AuthContext, type: TokenType, relatesTo: string, code: string): string {
  return auth.keys.derive("one-time code", JSON.stringify([type, relatesTo, code]));
}

/**
 * Makes a link token (256 bits) and, when asked, a short code; earlier ones of the type are void.
 * Only hashes are stored.
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
    pkce: boolean;
  },
): Promise<OneTimeToken> {
  const { userId, type, relatesTo } = options;
  const token = `${options.pkce ? PKCE_PREFIX : ""}${newToken()}`;
  const digits = auth.settings.email.otp_length;
  const code = options.withCode ? String(randomInt(10 ** digits)).padStart(digits, "0") : undefined;
  await db.query(
    `insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, code_hash)
     values ($1, $2, $3, $4, $5)
     on conflict (user_id, token_type) do update set token_hash = excluded.token_hash,
       relates_to = excluded.relates_to, code_hash = excluded.code_hash, wrong_codes = 0,
       created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [
      userId,
      type,
      hashToken(token),
      relatesTo,
      code === undefined ? null : codeHash(auth, type, relatesTo, code),
    ],
  );
  return { token, code };
}

/** Uses up the token of a link. @returns undefined when it is unknown, used, expired or of another type. */
export async function useLink(
  auth: AuthContext,
  db: Queryable,
  token: string,
  types: readonly TokenType[],
): Promise<UsedToken | undefined> {
  const { rows } = await db.query<UsedToken>(
    `delete from auth.one_time_tokens
      where token_hash = $1 and token_type = any($2::auth.one_time_token_type[])
        and created_at > (now() at time zone 'utc') - make_interval(secs => $3)
      returning user_id, token_type`,
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
      returning id, user_id, token_type, code_hash`,
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
