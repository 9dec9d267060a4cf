// Starts the enrolment of an authenticator app: limits, secret, `otpauth://` URI and QR code.

import type { Handler } from "hono";
import { toString as qrCode } from "qrcode";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { readBody, optionalText } from "../routes/request-body.ts";
import { insertFactor, requireUserWithSession, type UserWithSession } from "./factors.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

/** How long an unverified factor is kept. */
const unverifiedLifetimeS = 300;
const maxNameLength = 100;

const body = z.object({
  friendly_name: optionalText,
  factor_type: optionalText,
  issuer: optionalText,
  phone: optionalText,
});

interface ExistingFactor {
  friendly_name: string | null;
  status: string;
}

async function assertMayEnroll(
  auth: AuthContext,
  db: Queryable,
  { user, session }: UserWithSession,
  name: string,
): Promise<void> {
  // Lock the account, so that concurrent enrolments are counted one after the other.
  await db.query("select 1 from auth.users where id = $1 for update", [user.id]);
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
       and created_at < now() - make_interval(secs => $2)`,
    [user.id, unverifiedLifetimeS],
  );
  const { rows } = await db.query<ExistingFactor>(
    "select friendly_name, status from auth.mfa_factors where user_id = $1",
    [user.id],
  );
  if (rows.some((factor) => (factor.friendly_name ?? "") === name)) {
    const message = `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`;
    throw new AuthError(422, "mfa_factor_name_conflict", message);
  }
  if (rows.length >= auth.settings.mfa.max_enrolled_factors) {
    const message = "Maximum number of verified factors reached, unenroll to continue";
    throw new AuthError(422, "too_many_enrolled_mfa_factors", message);
  }
  if (rows.some(({ status }) => status === "verified") && session.aal !== "aal2") {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}

/** `POST /factors`: enrols a TOTP factor, which is unverified until its first correct code. */
export function enrollFactorHandler(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const fields = await readBody(c, body);
    if (fields.factor_type === "phone") {
      const message = "MFA enroll is disabled for Phone";
      throw new AuthError(422, "mfa_phone_enroll_not_enabled", message);
    }
    if (fields.factor_type === "webauthn") {
      const message = "MFA enroll is disabled for WebAuthn";
      throw new AuthError(422, "mfa_webauthn_enroll_not_enabled", message);
    }
    if (fields.factor_type !== "totp") {
      throw validationFailed("factor_type needs to be totp, phone, or webauthn");
    }
    if (!auth.settings.mfa.totp.enroll_enabled) {
      throw new AuthError(422, "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP");
    }
    const { friendly_name: name } = fields;
    if (name.length > maxNameLength || fields.issuer.length > maxNameLength) {
      throw validationFailed(
        `friendly_name and issuer must not be longer than ${maxNameLength} characters`,
      );
    }
    const { user } = caller;
    const secret = newTotpSecret();
    const issuer = fields.issuer || new URL(auth.apiUrl).host;
    const uri = totpUri(secret, issuer, user.email ?? user.id);
    const id = await inTransaction(auth.db.admin, async (db) => {
      await assertMayEnroll(auth, db, caller, name);
      const factor = { userId: user.id, name, status: "unverified", secret } as const;
      const factorId = await insertFactor(db, auth.keys, factor);
      await recordAuditEvent(db, "factor_in_progress", user, auth.clientAddress(c), {
        factor_id: factorId,
      });
      return factorId;
    });
    // The client puts it into a `data:` URL unescaped, so it must not contain double quotes or number signs.
    const svg = await qrCode(uri, { type: "svg", errorCorrectionLevel: "M", margin: 2 });
    const qr = svg.trim().replaceAll('"', "'").replaceAll("#", "%23");
    c.header("cache-control", "no-store");
    return c.json({
      id,
      type: "totp",
      friendly_name: name,
      totp: { qr_code: qr, secret, uri },
    });
  };
}
