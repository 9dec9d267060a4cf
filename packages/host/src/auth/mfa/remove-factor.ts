// Removes second factors, for their owner or the service role (which can also list them), and e-mails the owner.

import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { userFromPath } from "../users/user-from-path.ts";
import type { User } from "../users/users.ts";
import {
  factorIdOf,
  factorNotFound,
  lockFactor,
  deleteFactorRow,
  requireUserWithSession,
} from "./factors.ts";

function notifyOwner(auth: AuthContext, user: User): void {
  if (user.email === null) return;
  const values = { Email: user.email, Data: user.raw_user_meta_data ?? {} };
  auth.emailTemplates.send("mfa_factor_unenrolled", user.email, values);
}

/** `DELETE /factors/:id`: removes one of the caller's factors; a verified one requires an aal2 session. */
export function unenrollFactor(auth: AuthContext): Handler {
  return async (c) => {
    const { user, session } = await requireUserWithSession(auth, c);
    const id = factorIdOf(c, "factor");
    const wasVerified = await inTransaction(auth.db.admin, async (db) => {
      // Lock the account first, as everywhere, to avoid deadlocks.
      await db.query("select 1 from auth.users where id = $1 for update", [user.id]);
      const factor = await lockFactor(db, user.id, id);
      const verified = factor.status === "verified";
      if (verified && session.aal !== "aal2") {
        const message = "AAL2 required to unenroll verified factor";
        throw new AuthError(422, "insufficient_aal", message);
      }
      await deleteFactorRow(db, user.id, id, session.id);
      const traits = { factor_id: id, factor_status: factor.status, session_id: session.id };
      await recordAuditEvent(db, "factor_unenrolled", user, auth.clientAddress(c), traits);
      return verified;
    });
    if (wasVerified) notifyOwner(auth, user);
    return c.json({ id });
  };
}

/** `GET /admin/users/:id/factors`: the factors of an account; service role only. */
export function adminListFactors(auth: AuthContext): Handler {
  return async (c) => c.json((await userFromPath(auth, c)).factors ?? []);
}

/** `DELETE /admin/users/:id/factors/:factor`: removes a factor of an account; service role only. */
export function adminDeleteFactor(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userFromPath(auth, c);
    const id = factorIdOf(c, "factor");
    const factor = user.factors?.find((candidate) => candidate.id === id);
    if (!factor) throw factorNotFound();
    await inTransaction(auth.db.admin, async (db) => {
      await deleteFactorRow(db, user.id, id, undefined);
      const traits = { user_id: user.id, factor_id: id };
      await recordAuditEvent(db, "factor_deleted", "service_role", auth.clientAddress(c), traits);
    });
    // Also for a factor that is no longer verified: recovery codes disable a factor before it is removed here.
    notifyOwner(auth, user);
    return c.json(factor);
  };
}
