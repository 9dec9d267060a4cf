// Signs in with a passkey, without asking for an address first.

import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { createSession, sessionJson } from "../flows/sessions.ts";
import { deviceOf } from "../routes/authenticate.ts";
import { readBody } from "../routes/request-body.ts";
import { getUser, isBanned } from "../users/users.ts";
import { openChallenge, takeChallenge } from "./challenges.ts";
import { asCredential, lockPasskey, passkeyRefused, usedPasskeyBody } from "./passkeys.ts";
import { webAuthnLibrary } from "./webauthn-library.ts";

/** `POST /passkeys/authentication/options`: what the browser asks an authenticator with. It names no account. */
export function passkeyRequestOptions(auth: AuthContext): Handler {
  return async (c) => {
    await auth.rateLimits.take("signIn", auth.clientNetwork(c));
    const { generateAuthenticationOptions } = await webAuthnLibrary();
    const options = await generateAuthenticationOptions({
      rpID: auth.relyingParty.id,
      userVerification: "required",
    });
    const opened = await openChallenge(
      auth.db.admin,
      "authentication",
      undefined,
      options.challenge,
    );
    return c.json({ ...opened, options });
  };
}

/**
 * `POST /passkeys/authentication/verify`: exchanges the answer of an authenticator for a session. An unknown passkey gets
 * the same answer as a wrong signature.
 */
export function openSessionByPasskey(auth: AuthContext): Handler {
  return async (c) => {
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const { challenge_id: id, credential } = await readBody(c, usedPasskeyBody);
    const challenge = await takeChallenge(auth.db.admin, "authentication", undefined, id);
    const device = deviceOf(auth, c);
    const { userHandle, ...response } = credential.response;
    const { verifyAuthenticationResponse } = await webAuthnLibrary();
    const { issued, email } = await inTransaction(auth.db.admin, async (db) => {
      const passkey = await lockPasskey(db, credential.id);
      const owner = Buffer.from(userHandle ?? "", "base64url").toString();
      if (passkey === undefined || passkey.user_id !== owner) throw passkeyRefused();
      const verified = await verifyAuthenticationResponse({
        response: {
          ...credential,
          response,
        },
        expectedChallenge: challenge,
        expectedOrigin: auth.relyingParty.origins,
        expectedRPID: auth.relyingParty.id,
        credential: asCredential(passkey),
        requireUserVerification: true,
      }).catch(() => undefined);
      if (verified?.verified !== true) throw passkeyRefused();
      const user = await getUser(db, passkey.user_id);
      if (user.email_confirmed_at === null) {
        throw new AuthError(403, "email_not_confirmed", "Email not confirmed");
      }
      if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
      const { newCounter, credentialBackedUp } = verified.authenticationInfo;
      await db.query(
        `update auth.webauthn_credentials set sign_count = $2, backed_up = $3, last_used_at = now(), updated_at = now()
          where id = $1`,
        [passkey.id, newCounter, credentialBackedUp],
      );
      const traits = { passkey_id: passkey.id };
      await recordAuditEvent(db, "login", user, device.address, traits);
      return {
        issued: await createSession(auth, db, user.id, "passkey", device),
        email: user.email ?? "",
      };
    });
    await auth.devices.remember(c, email);
    return c.json(await sessionJson(auth, issued));
  };
}
