// Starts the enrolment of a second factor: limits, and for an authenticator app secret, address and QR code.

import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { readBody, optionalText } from "../routes/request-body.ts";
import {
  insertFactor,
  insertWebAuthnFactor,
  requireUserWithSession,
  type UserWithSession,
} from "./factors.ts";
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
type Fields = z.infer<typeof body>;

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

/** The answer of an enrolment: for an authenticator app with its secret, for a security key without. */
type Enrolled = { id: string; type: "totp" | "webauthn"; friendly_name: string } & (
  { totp: { qr_code: string; secret: string; uri: string } } | object
);

async function enrollTotp(
  auth: AuthContext,
  db: Queryable,
  { user }: UserWithSession,
  { friendly_name: name, issuer }: Fields,
): Promise<Enrolled> {
  const secret = newTotpSecret();
  const uri = totpUri(secret, issuer || new URL(auth.apiUrl).host, user.email ?? user.id);
  const factor = { userId: user.id, name, status: "unverified", secret } as const;
  const id = await insertFactor(db, auth.keys, factor);
  // The client puts it into a `data:` URL unescaped, so it must not contain double quotes or number signs.
  const { toString: qrCode } = await import("qrcode");
  const svg = await qrCode(uri, { type: "svg", errorCorrectionLevel: "M", margin: 2 });
  const qr = svg.trim().replaceAll('"', "'").replaceAll("#", "%23");
  return { id, type: "totp", friendly_name: name, totp: { qr_code: qr, secret, uri } };
}

/** @throws {AuthError} when the kind of factor is unknown or switched off */
function assertKindEnabled(auth: AuthContext, kind: string): asserts kind is "totp" | "webauthn" {
  const { totp, web_authn: webAuthn } = auth.settings.mfa;
  const disabled = (code: string, name: string) =>
    new AuthError(422, code, `MFA enroll is disabled for ${name}`);
  if (kind === "phone") throw disabled("mfa_phone_enroll_not_enabled", "Phone");
  if (kind === "webauthn" && !webAuthn.enroll_enabled)
    throw disabled("mfa_webauthn_enroll_not_enabled", "WebAuthn");
  if (kind === "totp" && !totp.enroll_enabled)
    throw disabled("mfa_totp_enroll_not_enabled", "TOTP");
  if (kind !== "totp" && kind !== "webauthn")
    throw validationFailed("factor_type needs to be totp, phone, or webauthn");
}

/** `POST /factors`: enrols a factor, which is unverified until its first correct code or signature. */
export function enrollFactorHandler(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const fields = await readBody(c, body);
    const { factor_type: kind, friendly_name: name } = fields;
    assertKindEnabled(auth, kind);
    if (name.length > maxNameLength || fields.issuer.length > maxNameLength) {
      throw validationFailed(
        `friendly_name and issuer must not be longer than ${maxNameLength} characters`,
      );
    }
    const { user } = caller;
    const enrolled = await inTransaction(auth.db.admin, async (db): Promise<Enrolled> => {
      await assertMayEnroll(auth, db, caller, name);
      const made =
        kind === "totp"
          ? await enrollTotp(auth, db, caller, fields)
          : { id: await insertWebAuthnFactor(db, user.id, name), type: kind, friendly_name: name };
      await recordAuditEvent(db, "factor_in_progress", user, auth.clientAddress(c), {
        factor_id: made.id,
      });
      return made;
    });
    c.header("cache-control", "no-store");
    return c.json(enrolled);
  };
}
