import type { Handler } from "hono";
import { inTransaction } from "../postgres/database.ts";
import { record } from "./audit.ts";
import { invalid } from "./auth-error.ts";
import type { AuthContext } from "./auth-context.ts";
import { requireUser } from "./authenticate.ts";

/** `POST /logout?scope=`: ends this session (local), the others (others) or all (global). */
export function logOut(auth: AuthContext): Handler {
  return async (c) => {
    const scope = c.req.query("scope") || "global";
    if (scope !== "global" && scope !== "local" && scope !== "others") {
      throw invalid("Unsupported logout scope");
    }
    const { user, session } = await requireUser(auth, c);
    await inTransaction(auth.db.admin, async (db) => {
      await record(db, "logout", user, auth.addressOf(c), { scope });
      await db.query(
        `delete from auth.sessions where user_id = $1
           and case $3 when 'local' then id = $2::uuid when 'others' then id <> $2::uuid else true end`,
        // A token without a session cannot tell which one is its own, so it ends them all.
        [user.id, session?.id ?? null, session ? scope : "global"],
      );
    });
    return c.body(null, 204);
  };
}
