// Reads, stores and deletes rows of `auth.mfa_factors`, for all routes that deal with second factors.

import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser, type CallerSession, type AuthenticatedUser } from "../routes/authenticate.ts";
import { isUuid } from "../../uuid.ts";
import { encryptSecret } from "./totp.ts";

/** The caller of a factor route, which requires a session. */
export type UserWithSession = AuthenticatedUser & { session: CallerSession };

/** @throws {AuthError} when the token is invalid or belongs to no session. */
export async function requireUserWithSession(
  auth: AuthContext,
  c: Context,
): Promise<UserWithSession> {
  const { user, session } = await requireUser(auth, c);
  if (session === undefined) {
    throw new AuthError(403, "session_not_found", "A session is required for this request");
  }
  return { user, session };
}

export function factorNotFound(): AuthError {
  return new AuthError(404, "mfa_factor_not_found", "Factor not found");
}

/** The factor id in the path of a request. @throws {AuthError} 404 when it is not a UUID. */
export function factorIdOf(c: Context, parameter: string): string {
  const id = c.req.param(parameter) ?? "";
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "factor_id must be an UUID");
  return id;
}

/** A security key in the form of hosted Supabase: bytes in base64. */
export interface StoredWebAuthnCredential {
  id: string;
  publicKey: string;
  attestationType: string;
  transport: string[];
  flags: {
    userPresent: boolean;
    userVerified: boolean;
    backupEligible: boolean;
    backupState: boolean;
  };
  authenticator: { AAGUID: string; signCount: number };
}

/** Columns needed to verify a factor. */
export interface FactorRow {
  id: string;
  factor_type: "totp" | "webauthn" | "phone";
  status: "unverified" | "verified";
  secret: string | null;
  last_used_step: string | null;
  web_authn_credential: StoredWebAuthnCredential | null;
}

/**
 * Reads a factor and locks it until the transaction ends, so that its codes are checked one after the other.
 * @throws {AuthError} 404 when the account has no such factor.
 */
export async function lockFactor(
  db: Queryable,
  userId: string,
  factorId: string,
): Promise<FactorRow> {
  const { rows } = await db.query<FactorRow>(
    `select id, factor_type, status, secret, last_used_step, web_authn_credential
       from auth.mfa_factors where id = $1 and user_id = $2 for update`,
    [factorId, userId],
  );
  if (!rows[0]) throw factorNotFound();
  return rows[0];
}

/** Stores a TOTP factor of an account, its secret encrypted. @returns its id. */
export async function insertFactor(
  db: Queryable,
  keys: Pick<Keys, "derive">,
  factor: { userId: string; name: string; status: FactorRow["status"]; secret: string },
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
       values ($1, $2, $3, 'totp', $4, $5)`,
    [id, factor.userId, factor.name, factor.status, encryptSecret(keys, id, factor.secret)],
  );
  return id;
}

/** Stores a security key that is still to be asked for. @returns its id. */
export async function insertWebAuthnFactor(
  db: Queryable,
  userId: string,
  name: string,
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
       values ($1, $2, $3, 'webauthn', 'unverified')`,
    [id, userId, name],
  );
  return id;
}

/**
 * Deletes a factor. Sessions it raised to aal2 return to aal1. When it was the last verified factor, all sessions
 * except `keepSession` end, because a session that had not entered a code yet would no longer need one.
 */
export async function deleteFactorRow(
  db: Queryable,
  userId: string,
  factorId: string,
  keepSession: string | undefined,
): Promise<void> {
  await db.query("select 1 from auth.users where id = $1 for update", [userId]);
  const { rows } = await db.query<{ status: string }>(
    "delete from auth.mfa_factors where id = $1 and user_id = $2 returning status",
    [factorId, userId],
  );
  await db.query(
    `delete from auth.mfa_amr_claims where authentication_method in ('totp', 'mfa/webauthn')
       and session_id in (select id from auth.sessions where user_id = $1 and factor_id = $2)`,
    [userId, factorId],
  );
  await db.query(
    `update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
      where user_id = $1 and factor_id = $2`,
    [userId, factorId],
  );
  if (rows[0]?.status !== "verified") return;
  await db.query(
    `delete from auth.sessions where user_id = $1 and id is distinct from $2::uuid and not exists (
       select from auth.mfa_factors where user_id = $1 and status = 'verified')`,
    [userId, keepSession ?? null],
  );
}
