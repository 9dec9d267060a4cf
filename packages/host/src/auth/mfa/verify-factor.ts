import { isIP } from "node:net";
import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { isUuid } from "../routes/request-fields.ts";
import { rotateLiving } from "../flows/refresh-tokens.ts";
import { readBody, text } from "../routes/request-body.ts";
import { sessionJson, type Grant } from "../flows/sessions.ts";
import {
  factorIdOf,
  holdFactor,
  requireFactorCaller,
  type FactorCaller,
  type FactorRow,
} from "./factors.ts";
import { openSecret, stepOfCode } from "./totp.ts";

/** How long a challenge waits for its code. Seconds. */
const challengeLifeSeconds = 300;

const body = z.object({ challenge_id: text, code: text });

function assertVerifyEnabled(auth: AuthContext): void {
  if (auth.settings.mfa.totp.verify_enabled) return;
  const message = "MFA verification is disabled for TOTP";
  throw new AuthError(422, "mfa_totp_verify_not_enabled", message);
}

function addressOf(auth: AuthContext, c: Context): string {
  const address = auth.addressOf(c);
  return isIP(address) ? address : "0.0.0.0";
}

/** `POST /factors/:id/challenge`: opens a challenge; of each factor the last few minutes' are kept. */
export function challengeFactor(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireFactorCaller(auth, c);
    await auth.limits.take("verify", auth.senderOf(c));
    const factorId = factorIdOf(c, "factor");
    const address = addressOf(auth, c);
    const opened = await inTransaction(auth.db.admin, async (db) => {
      const factor = await holdFactor(db, user.id, factorId);
      assertVerifyEnabled(auth);
      await db.query(
        `delete from auth.mfa_challenges where factor_id = $1
           and created_at < now() - make_interval(secs => $2)`,
        [factorId, challengeLifeSeconds],
      );
      const { rows } = await db.query<{ id: string; expires_at: number }>(
        `insert into auth.mfa_challenges (factor_id, ip_address) values ($1, $2)
         returning id, extract(epoch from created_at)::int + $3::int as expires_at`,
        [factorId, address, challengeLifeSeconds],
      );
      await db.query(
        "update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $1",
        [factorId],
      );
      const traits = { factor_id: factorId, factor_status: factor.status };
      await record(db, "challenge_created", user, address, traits);
      return rows[0];
    });
    return c.json({ id: opened?.id, type: "totp", expires_at: opened?.expires_at });
  };
}

async function assertChallenge(
  db: Queryable,
  factorId: string,
  challengeId: string,
  address: string,
): Promise<void> {
  const { rows } = isUuid(challengeId)
    ? await db.query<{ foreign: boolean; expired: boolean }>(
        `select verified_at is not null or ip_address <> $3::inet as foreign,
                created_at < now() - make_interval(secs => $4) as expired
           from auth.mfa_challenges where id = $1 and factor_id = $2`,
        [challengeId, factorId, address, challengeLifeSeconds],
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
}

/**
 * Accepts a right code and notes its time step.
 * @throws {AuthError} 422 when the code is wrong; a code that was accepted before is.
 */
async function acceptCode(
  auth: AuthContext,
  db: Queryable,
  factor: FactorRow,
  code: string,
): Promise<void> {
  const secret = openSecret(auth.keys, factor.id, factor.secret ?? "");
  const step = stepOfCode(secret, code, auth.now());
  const last = factor.last_used_step === null ? -1 : Number(factor.last_used_step);
  if (step === undefined || step <= last) {
    throw new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  }
  await db.query(
    `update auth.mfa_factors set last_used_step = $2, status = 'verified', updated_at = now() where id = $1`,
    [factor.id, step],
  );
}

/** Raises the session to aal2, ends the sessions below it and drops what was never verified. */
async function raiseSession(
  auth: AuthContext,
  db: Queryable,
  { user, session }: FactorCaller,
  factorId: string,
): Promise<Grant> {
  const { rowCount } = await db.query("select 1 from auth.sessions where id = $1 for update", [
    session.id,
  ]);
  if (rowCount !== 1) {
    const message = "Session from session_id claim in JWT does not exist";
    throw new AuthError(403, "session_not_found", message);
  }
  await db.query(
    `insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, 'totp')
     on conflict (session_id, authentication_method) do update set updated_at = now()`,
    [session.id],
  );
  await db.query(
    "update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1",
    [session.id, factorId],
  );
  const refreshToken = await rotateLiving(auth, db, session.id, user.id);
  await db.query("delete from auth.sessions where user_id = $1 and aal < 'aal2'", [user.id]);
  await db.query(
    "delete from auth.mfa_factors where user_id = $1 and factor_type = 'totp' and status = 'unverified'",
    [user.id],
  );
  return { sessionId: session.id, userId: user.id, refreshToken };
}

/** `POST /factors/:id/verify`: answers a challenge with a code, against tokens of level aal2. */
export function verifyFactor(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireFactorCaller(auth, c);
    await auth.limits.take("verify", auth.senderOf(c));
    const factorId = factorIdOf(c, "factor");
    const fields = await readBody(c, body);
    if (fields.code === "") throw invalid("Code needs to be non-empty");
    const address = addressOf(auth, c);
    const attempt = await auth.backoff.beginCode(c, caller.user.id, auth.senderOf(c));
    const outcome = await inTransaction(auth.db.admin, async (db) => {
      // The account first: the one that is right ends sessions which the others would hold.
      await db.query("select 1 from auth.users where id = $1 for update", [caller.user.id]);
      const factor = await holdFactor(db, caller.user.id, factorId);
      assertVerifyEnabled(auth);
      await assertChallenge(db, factorId, fields.challenge_id, address);
      await acceptCode(auth, db, factor, fields.code);
      await db.query("update auth.mfa_challenges set verified_at = now() where id = $1", [
        fields.challenge_id,
      ]);
      const traits = {
        factor_id: factorId,
        challenge_id: fields.challenge_id,
        factor_type: "totp",
      };
      await record(db, "verification_attempted", caller.user, address, traits);
      const grant = await raiseSession(auth, db, caller, factorId);
      return { grant, isNew: factor.status === "unverified" };
    });
    await attempt.succeeded();
    await auth.backoff.rememberCodeDevice(c, caller.user.id);
    const { email, raw_user_meta_data: data } = caller.user;
    if (outcome.isNew && email !== null) {
      auth.letters.post("mfa_factor_enrolled", email, { Email: email, Data: data ?? {} });
    }
    c.header("cache-control", "no-store");
    return c.json(await sessionJson(auth, outcome.grant));
  };
}
