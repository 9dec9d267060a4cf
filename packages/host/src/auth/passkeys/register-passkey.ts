// Adds a passkey to the signed-in account.

import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { sqlStates } from "../../postgres/sql-states.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { assertRecentSignIn, assertSessionStands } from "../flows/session-checks.ts";
import { requireUserWithSession, type UserWithSession } from "../mfa/factors.ts";
import { notifyOfWayIn } from "../routes/identities.ts";
import { readBody } from "../routes/request-body.ts";
import { openChallenge, takeChallenge } from "./challenges.ts";
import { creationOptions, verifyNewCredential } from "./new-credential.ts";
import {
  listPasskeys,
  maxPasskeys,
  newPasskeyBody,
  passkeyJson,
  passkeyRefused,
  type StoredPasskey,
} from "./passkeys.ts";

/**
 * A passkey opens the account by itself, so changing them takes the account's second factor, and adding one a session that has
 * just signed in.
 * @throws {AuthError} 403 for a session without the account's second factor, or an address that was not confirmed.
 */
export function assertMayChangePasskeys({ user, session }: UserWithSession): void {
  const hasFactor = user.factors?.some(({ status }) => status === "verified") === true;
  if (hasFactor && session.aal !== "aal2") {
    const message = "AAL2 session is required to manage passkeys when MFA is enabled";
    throw new AuthError(403, "insufficient_aal", message);
  }
  if (user.email_confirmed_at === null) {
    throw new AuthError(403, "email_not_confirmed", "Email not confirmed");
  }
}

function tooMany(): AuthError {
  return new AuthError(422, "too_many_passkeys", "Maximum number of passkeys reached");
}

/** `POST /passkeys/registration/options`: what the browser asks an authenticator with. */
export function passkeyCreationOptions(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    assertMayChangePasskeys(caller);
    await assertRecentSignIn(auth.db.admin, caller.session);
    const { user } = caller;
    const existing = await listPasskeys(auth.db.admin, user.id);
    if (existing.length >= maxPasskeys) throw tooMany();
    const options = await creationOptions(auth, user, {
      excludeCredentials: existing.map(({ credential_id: id, transports }) => ({
        id: id.toString("base64url"),
        transports,
      })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
    const opened = await openChallenge(auth.db.admin, "registration", user.id, options.challenge);
    return c.json({ ...opened, options });
  };
}

/** `POST /passkeys/registration/verify`: stores the passkey and tells the owner. */
export function createPasskey(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    assertMayChangePasskeys(caller);
    const { user } = caller;
    const { challenge_id: id, credential } = await readBody(c, newPasskeyBody);
    const challenge = await takeChallenge(auth.db.admin, "registration", user.id, id);
    const info = await verifyNewCredential(auth, credential, challenge, true);
    if (info === undefined) throw passkeyRefused();
    const stored = await inTransaction(auth.db.admin, async (db) => {
      // Lock the account, so that concurrent registrations are counted one after the other.
      await db.query("select 1 from auth.users where id = $1 for update", [user.id]);
      await assertSessionStands(db, caller);
      if ((await listPasskeys(db, user.id)).length >= maxPasskeys) throw tooMany();
      const { rows } = await db.query<StoredPasskey>(
        `insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid,
           sign_count, transports, backup_eligible, backed_up) values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *`,
        [
          user.id,
          Buffer.from(info.credential.id, "base64url"),
          Buffer.from(info.credential.publicKey),
          info.fmt,
          info.aaguid,
          info.credential.counter,
          JSON.stringify(credential.response.transports ?? []),
          info.credentialDeviceType === "multiDevice",
          info.credentialBackedUp,
        ],
      );
      const traits = { passkey_id: rows[0]?.id };
      await recordAuditEvent(db, "passkey_created", user, auth.clientAddress(c), traits);
      return rows[0];
    }).catch((error: unknown) => {
      if ((error as { code?: string }).code !== sqlStates.uniqueViolation) throw error;
      const message = "This credential is already registered";
      throw new AuthError(422, "webauthn_credential_exists", message);
    });
    notifyOfWayIn(auth, "identity_linked", user, "a passkey");
    return c.json(stored && passkeyJson(stored));
  };
}
