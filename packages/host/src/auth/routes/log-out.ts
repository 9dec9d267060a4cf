import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser } from "./authenticate.ts";

/**
 * `POST /logout?scope=`: ends this session (local), the others (others) or all (global). A session that still has
 * to show the second factor ends itself alone: a stolen password must not sign its owner out.
 */
export function logOut(auth: AuthContext): Handler {
  return async (c) => {
    const scope = c.req.query("scope") || "global";
    if (scope !== "global" && scope !== "local" && scope !== "others") {
      throw invalid("Unsupported logout scope");
    }
    const { user, session } = await requireUser(auth, c);
    const codeIsDue =
      session?.aal !== "aal2" && user.factors?.some(({ status }) => status === "verified") === true;
    if (codeIsDue && (scope === "others" || !session)) {
      throw new AuthError(403, "insufficient_aal", "AAL2 required to end other sessions");
    }
    await inTransaction(auth.db.admin, async (db) => {
      const ends = codeIsDue ? "local" : scope;
      await record(db, "logout", user, auth.addressOf(c), { scope: ends });
      await db.query(
        `delete from auth.sessions where user_id = $1
           and case $3 when 'local' then id = $2::uuid when 'others' then id <> $2::uuid else true end`,
        // A token without a session cannot tell which one is its own, so it ends them all.
        [user.id, session?.id ?? null, session ? ends : "global"],
      );
    });
    return c.body(null, 204);
  };
}
