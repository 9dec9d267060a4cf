// Links and unlinks ways to sign in of the signed-in account, where `enable_manual_linking` allows it.

import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { isUuid } from "../../uuid.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUserWithSession, type UserWithSession } from "../mfa/factors.ts";
import { updateProviders } from "../users/identities.ts";
import { getUser, invalidateLinks, type User } from "../users/users.ts";

/**
 * A new way to sign in is worth as much as a new password, so it takes what that takes.
 * @throws {AuthError} 404 while linking is off, 401 for a session without the account's second factor.
 */
export function assertMayChangeIdentities(
  auth: AuthContext,
  { user, session }: UserWithSession,
): void {
  if (!auth.settings.enable_manual_linking) {
    throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
  }
  const hasFactor = user.factors?.some(({ status }) => status === "verified") === true;
  if (hasFactor && session.aal !== "aal2") {
    const message = "AAL2 session is required to change identities when MFA is enabled.";
    throw new AuthError(401, "insufficient_aal", message);
  }
}

/** E-mails the owner of an account about a way to sign in. */
export function notifyOfIdentity(
  auth: AuthContext,
  kind: "identity_linked" | "identity_unlinked",
  user: Pick<User, "email" | "raw_user_meta_data">,
  provider: string,
): void {
  notifyOfWayIn(auth, kind, user, provider.charAt(0).toUpperCase() + provider.slice(1));
}

/** The same of any way in, by the name that the e-mail gives it, such as `a passkey`. */
export function notifyOfWayIn(
  auth: AuthContext,
  kind: "identity_linked" | "identity_unlinked",
  user: Pick<User, "email" | "raw_user_meta_data">,
  name: string,
): void {
  if (user.email === null) return;
  const values = { Email: user.email, Provider: name, Data: user.raw_user_meta_data ?? {} };
  auth.emailTemplates.send(kind, user.email, values);
}

/**
 * `DELETE /user/identities/:identity`: removes a way to sign in, but never the last one, and ends every other session. With
 * the e-mail identity goes the password.
 */
export function unlinkIdentity(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUserWithSession(auth, c);
    assertMayChangeIdentities(auth, caller);
    const id = c.req.param("identity") ?? "";
    if (!isUuid(id)) throw new AuthError(404, "validation_failed", "identity_id must be an UUID");
    const { user, session } = caller;
    const provider = await inTransaction(auth.db.admin, async (db) => {
      await db.query("select 1 from auth.users where id = $1 for update", [user.id]);
      const { identities } = await getUser(db, user.id);
      if (identities.length <= 1) {
        const message = "User must have at least 1 identity after unlinking";
        throw new AuthError(422, "single_identity_not_deletable", message);
      }
      const identity = identities.find((candidate) => candidate.id === id.toLowerCase());
      if (!identity) throw new AuthError(422, "identity_not_found", "Identity doesn't exist");
      await db.query("delete from auth.identities where id = $1", [identity.id]);
      if (identity.provider === "email") {
        await db.query("update auth.users set encrypted_password = null where id = $1", [user.id]);
      }
      await invalidateLinks(db, user.id);
      await db.query("delete from auth.sessions where user_id = $1 and id <> $2", [
        user.id,
        session.id,
      ]);
      await updateProviders(db, user.id);
      await recordAuditEvent(db, "identity_unlinked", user, auth.clientAddress(c), {
        identity_id: identity.id,
        provider: identity.provider,
        provider_id: identity.provider_id,
      });
      return identity.provider;
    });
    notifyOfIdentity(auth, "identity_unlinked", user, provider);
    return c.json({});
  };
}
