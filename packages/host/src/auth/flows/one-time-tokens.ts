// Single-use tokens behind e-mail links and short codes (`auth.one_time_tokens`).

import { randomInt } from "node:crypto";
import { isEqualConstantTime } from "../../constant-time.ts";
import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import { hashToken, newToken } from "./hash-token.ts";

/** Purpose of a token, the values of the database enum. */
export type TokenType =
  | "confirmation_token"
  | "reauthentication_token"
  | "recovery_token"
  | "email_change_token_new"
  | "email_change_token_current";

/** Wrong guesses before a short code is invalid; the link in the same e-mail still works. */
const maxWrongCodes = 5;
/** Pending links of one type per account; older ones are deleted. */
const maxPendingLinks = 20;
/** Prefix of tokens from PKCE flows: opening such a link leads to a code exchange. */
export const pkcePrefix = "pkce_";

/** The token of a link and, if the e-mail shows one, a short code. */
export interface OneTimeToken {
  token: string;
  code: string | undefined;
}

/** A token that was just consumed. */
export interface ConsumedToken {
  user_id: string;
  token_type: TokenType;
  /** Password and metadata of the sign-up the link belongs to. */
  password_hash: string | null;
  user_metadata: Record<string, unknown> | null;
  /** The PKCE flow that requested the link. */
  flow_state_id: string | null;
}

const consumedColumns = "user_id, token_type, password_hash, user_metadata, flow_state_id";

/** The keyed hashes by which a code may be stored: the one for a new code first. */
function codeHashes(auth: AuthContext, type: TokenType, relatesTo: string, code: string): string[] {
  return auth.keys.deriveAll("one-time code", JSON.stringify([type, relatesTo, code]));
}

/**
 * Creates a link token (256 bits) and, if requested, a short code. Earlier tokens of the type stay valid until they
 * expire, because anyone can request a link for any address. Only hashes are stored.
 */
export async function createOneTimeToken(
  auth: AuthContext,
  db: Queryable,
  options: {
    userId: string;
    type: TokenType;
    /** E-mail address the token is sent to. */
    relatesTo: string;
    withCode: boolean;
    /** The PKCE flow that requested the link, if any. */
    flow?: string | undefined;
    /** The sign-up a confirmation link belongs to. */
    signUp?: { passwordHash: string | null; metadata: Record<string, unknown> } | undefined;
  },
): Promise<OneTimeToken> {
  const { userId, type, relatesTo, flow, signUp } = options;
  const token = `${flow === undefined ? "" : pkcePrefix}${newToken()}`;
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
      code === undefined ? null : codeHashes(auth, type, relatesTo, code)[0],
      flow ?? null,
      signUp?.passwordHash ?? null,
      signUp === undefined ? null : JSON.stringify(signUp.metadata),
    ],
  );
  await db.query(
    `delete from auth.one_time_tokens where id in (
       select id from auth.one_time_tokens where user_id = $1 and token_type = $2
        order by created_at desc, id offset $3)`,
    [userId, type, maxPendingLinks],
  );
  return { token, code };
}

/**
 * Consumes the token of a link, in the caller's transaction, and locks its account, so that two links of one account
 * are processed one after the other.
 * @returns undefined when the token is unknown, used, expired or of another type.
 */
export async function consumeLinkToken(
  auth: AuthContext,
  db: Queryable,
  token: string,
  types: readonly TokenType[],
): Promise<ConsumedToken | undefined> {
  await db.query(
    `select 1 from auth.users
      where id = (select user_id from auth.one_time_tokens where token_hash = $1) for update`,
    [hashToken(token)],
  );
  const { rows } = await db.query<ConsumedToken>(
    `delete from auth.one_time_tokens
      where token_hash = $1 and token_type = any($2::auth.one_time_token_type[])
        and created_at > (now() at time zone 'utc') - make_interval(secs => $3)
      returning ${consumedColumns}`,
    [hashToken(token), types, auth.settings.email.otp_expiry],
  );
  return rows[0];
}

/**
 * Consumes a short code sent to `email`. Each call uses up one attempt before it compares, so that concurrent
 * guesses count too. Do not call it inside a transaction that may roll back.
 * @returns undefined when there is no such code.
 */
export async function consumeOtp(
  auth: AuthContext,
  db: Queryable,
  email: string,
  code: string,
  types: readonly TokenType[],
): Promise<ConsumedToken | undefined> {
  const { rows } = await db.query<ConsumedToken & { id: string; code_hash: string }>(
    `update auth.one_time_tokens set wrong_codes = wrong_codes + 1
      where relates_to = $1 and token_type = any($2::auth.one_time_token_type[])
        and code_hash is not null and wrong_codes < $3
        and created_at > (now() at time zone 'utc') - make_interval(secs => $4)
      returning id, ${consumedColumns}, code_hash`,
    [email, types, maxWrongCodes, auth.settings.email.otp_expiry],
  );
  const match = rows.find((row) =>
    codeHashes(auth, row.token_type, email, code).some((hash) =>
      isEqualConstantTime(row.code_hash, hash),
    ),
  );
  if (!match) return undefined;
  const deleted = await db.query(
    "delete from auth.one_time_tokens where id = $1 and code_hash = $2",
    [match.id, match.code_hash],
  );
  return deleted.rowCount === 1 ? match : undefined;
}
