import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser } from "./authenticate.ts";

/**
 * `POST /logout?scope=`: ends this session (local), the others (others) or all (global). A session that has not yet
 * verified the second factor can only end itself: a stolen password must not be enough to sign the owner out.
 */
export function logOut(auth: AuthContext): Handler {
  return async (c) => {
    const scope = c.req.query("scope") || "global";
    if (scope !== "global" && scope !== "local" && scope !== "others") {
      throw validationFailed("Unsupported logout scope");
    }
    const { user, session } = await requireUser(auth, c);
    const needsSecondFactor =
      session?.aal !== "aal2" && user.factors?.some(({ status }) => status === "verified") === true;
    if (needsSecondFactor && (scope === "others" || !session)) {
      throw new AuthError(403, "insufficient_aal", "AAL2 required to end other sessions");
    }
    await inTransaction(auth.db.admin, async (db) => {
      const appliedScope = needsSecondFactor ? "local" : scope;
      await recordAuditEvent(db, "logout", user, auth.clientAddress(c), { scope: appliedScope });
      await db.query(
        `delete from auth.sessions where user_id = $1
           and case $3 when 'local' then id = $2::uuid when 'others' then id <> $2::uuid else true end`,
        // A token without a session id cannot be matched to a session, so it ends all of them.
        [user.id, session?.id ?? null, session ? appliedScope : "global"],
      );
    });
    return c.body(null, 204);
  };
}
