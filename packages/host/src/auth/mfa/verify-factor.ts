// Creates challenges for second factors, checks codes and signatures, and raises the session to aal2.

import { isIP } from "node:net";
import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { isUuid } from "../../uuid.ts";
import { rotateCurrentToken } from "../flows/refresh-tokens.ts";
import { readBody, optionalText } from "../routes/request-body.ts";
import { sessionJson, type IssuedSession } from "../flows/sessions.ts";
import {
  factorIdOf,
  lockFactor,
  requireUserWithSession,
  type UserWithSession,
  type FactorRow,
} from "./factors.ts";
import { decryptSecret, matchTimeStep } from "./totp.ts";
import { acceptWebAuthn, webAuthnAnswer, webAuthnRequest } from "./webauthn-factor.ts";

/** How long a challenge is valid. */
const challengeLifetimeS = 300;

const body = z.object({
  challenge_id: optionalText,
  code: optionalText,
  webauthn: webAuthnAnswer.nullish(),
});

/** How a factor is named in a session's `amr` claim. */
const methods = { totp: "totp", webauthn: "mfa/webauthn" } as const;
type Kind = keyof typeof methods;

/** @throws {AuthError} when factors of this kind are switched off; phones always are */
function assertVerifyEnabled(auth: AuthContext, { factor_type: kind }: FactorRow): Kind {
  const { totp, web_authn: webAuthn } = auth.settings.mfa;
  const disabled = (code: string, name: string) =>
    new AuthError(422, code, `MFA verification is disabled for ${name}`);
  if (kind === "phone") throw disabled("mfa_phone_verify_not_enabled", "Phone");
  if (kind === "totp" && !totp.verify_enabled)
    throw disabled("mfa_totp_verify_not_enabled", "TOTP");
  if (kind === "webauthn" && !webAuthn.verify_enabled)
    throw disabled("mfa_webauthn_verify_not_enabled", "WebAuthn");
  return kind;
}

function clientIp(auth: AuthContext, c: Context): string {
  const address = auth.clientAddress(c);
  return isIP(address) ? address : "0.0.0.0";
}

/** `POST /factors/:id/challenge`: creates a challenge and deletes the expired ones of the factor. */
export function challengeFactor(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const factorId = factorIdOf(c, "factor");
    const address = clientIp(auth, c);
    const opened = await inTransaction(auth.db.admin, async (db) => {
      const factor = await lockFactor(db, user.id, factorId);
      const kind = assertVerifyEnabled(auth, factor);
      const request =
        kind === "webauthn" ? await webAuthnRequest(auth, db, user, factor) : undefined;
      await db.query(
        `delete from auth.mfa_challenges where factor_id = $1
           and created_at < now() - make_interval(secs => $2)`,
        [factorId, challengeLifetimeS],
      );
      const { rows } = await db.query<{ id: string; expires_at: number }>(
        `insert into auth.mfa_challenges (factor_id, ip_address, web_authn_session_data) values ($1, $2, $4)
         returning id, extract(epoch from created_at)::int + $3::int as expires_at`,
        [
          factorId,
          address,
          challengeLifetimeS,
          request && JSON.stringify({ challenge: request.challenge }),
        ],
      );
      await db.query(
        "update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1",
        [factorId],
      );
      const traits = { factor_id: factorId, factor_status: factor.status };
      await recordAuditEvent(db, "challenge_created", user, address, traits);
      return { ...rows[0], type: kind, ...(request && { webauthn: request.webauthn }) };
    });
    return c.json(opened);
  };
}

/** @returns the challenge that an authenticator must have signed; undefined for one that asks for a code */
async function assertChallenge(
  db: Queryable,
  factorId: string,
  challengeId: string,
  address: string,
): Promise<string | undefined> {
  const { rows } = isUuid(challengeId)
    ? await db.query<{ foreign: boolean; expired: boolean; signed: string | null }>(
        `select verified_at is not null or ip_address <> $3::inet as foreign,
                web_authn_session_data ->> 'challenge' as signed,
                created_at < now() - make_interval(secs => $4) as expired
           from auth.mfa_challenges where id = $1 and factor_id = $2`,
        [challengeId, factorId, address, challengeLifetimeS],
      )
    : { rows: [] };
  const challenge = rows[0];
  if (!challenge) {
    const message = "MFA factor with the provided challenge ID not found";
    throw new AuthError(422, "mfa_factor_not_found", message);
  }
  if (challenge.foreign) {
    const message = "Challenge and verify IP addresses mismatch.";
    throw new AuthError(422, "mfa_ip_address_mismatch", message);
  }
  if (challenge.expired) {
    const message = `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`;
    throw new AuthError(422, "mfa_challenge_expired", message);
  }
  return challenge.signed ?? undefined;
}

/**
 * Accepts a correct code and stores its time step.
 * @throws {AuthError} 422 when the code is wrong or was accepted before.
 */
async function acceptCode(
  auth: AuthContext,
  db: Queryable,
  factor: FactorRow,
  code: string,
): Promise<void> {
  const secret = decryptSecret(auth.keys, factor.id, factor.secret ?? "");
  const step = matchTimeStep(secret, code, auth.now());
  const last = factor.last_used_step === null ? -1 : Number(factor.last_used_step);
  if (step === undefined || step <= last) {
    throw new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  }
  await db.query(
    `update auth.mfa_factors set last_used_step = $2, status = 'verified', updated_at = now() where id = $1`,
    [factor.id, step],
  );
}

/** Raises the session to aal2, ends the account's aal1 sessions and deletes its unverified factors. */
async function upgradeSession(
  auth: AuthContext,
  db: Queryable,
  { user, session }: UserWithSession,
  factorId: string,
  kind: Kind,
): Promise<IssuedSession> {
  const { rowCount } = await db.query("select 1 from auth.sessions where id = $1 for update", [
    session.id,
  ]);
  if (rowCount !== 1) {
    const message = "Session from session_id claim in JWT does not exist";
    throw new AuthError(403, "session_not_found", message);
  }
  await db.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)
     on conflict (session_id, authentication_method) do update set updated_at = now()`,
    [session.id, methods[kind]],
  );
  await db.query(
    "update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1",
    [session.id, factorId],
  );
  const refreshToken = await rotateCurrentToken(auth, db, session.id, user.id);
  await db.query("delete from auth.sessions where user_id = $1 and aal < 'aal2'", [user.id]);
  await db.query(
    "delete from auth.mfa_factors where user_id = $1 and factor_type = $2::auth.factor_type and status = 'unverified'",
    [user.id, kind],
  );
  return { sessionId: session.id, userId: user.id, refreshToken };
}

/** `POST /factors/:id/verify`: exchanges a challenge and a code, or a signature, for tokens of level aal2. */
export function verifyFactor(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const factorId = factorIdOf(c, "factor");
    const fields = await readBody(c, body);
    const isSigned = fields.webauthn !== undefined && fields.webauthn !== null;
    if (fields.code === "" && !isSigned) throw validationFailed("Code needs to be non-empty");
    const address = clientIp(auth, c);
    const attempt = await auth.backoff.beginCode(c, caller.user.id, auth.clientNetwork(c));
    const outcome = await inTransaction(auth.db.admin, async (db) => {
      // Lock the account first: a correct code ends sessions that concurrent calls would lock.
      await db.query("select 1 from auth.users where id = $1 for update", [caller.user.id]);
      const factor = await lockFactor(db, caller.user.id, factorId);
      const kind = assertVerifyEnabled(auth, factor);
      const signed = await assertChallenge(db, factorId, fields.challenge_id, address);
      if (kind === "totp") await acceptCode(auth, db, factor, fields.code);
      else await acceptWebAuthn(auth, db, factor, signed ?? "", fields.webauthn ?? undefined);
      await db.query("update auth.mfa_challenges set verified_at = now() where id = $1", [
        fields.challenge_id,
      ]);
      const traits = {
        factor_id: factorId,
        challenge_id: fields.challenge_id,
        factor_type: kind,
      };
      await recordAuditEvent(db, "verification_attempted", caller.user, address, traits);
      const issued = await upgradeSession(auth, db, caller, factorId, kind);
      return { issued, isNew: factor.status === "unverified" };
    });
    await attempt.succeeded();
    await auth.backoff.rememberCodeDevice(c, caller.user.id);
    const { email, raw_user_meta_data: data } = caller.user;
    if (outcome.isNew && email !== null) {
      auth.emailTemplates.send("mfa_factor_enrolled", email, { Email: email, Data: data ?? {} });
    }
    c.header("cache-control", "no-store");
    return c.json(await sessionJson(auth, outcome.issued));
  };
}
