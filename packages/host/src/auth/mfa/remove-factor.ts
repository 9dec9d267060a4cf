import type { Context, Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { isUuid } from "../routes/request-fields.ts";
import { findUser, type User } from "../users/users.ts";
import {
  factorIdOf,
  factorNotFound,
  holdFactor,
  removeFactor,
  requireFactorCaller,
} from "./factors.ts";

function tellOwner(auth: AuthContext, user: User): void {
  if (user.email === null) return;
  const values = { Email: user.email, Data: user.raw_user_meta_data ?? {} };
  auth.letters.post("mfa_factor_unenrolled", user.email, values);
}

/** `DELETE /factors/:id`: removes one's own factor; a verified one asks for a session of level aal2. */
export function unenrollFactor(auth: AuthContext): Handler {
  return async (c) => {
    const { user, session } = await requireFactorCaller(auth, c);
    const id = factorIdOf(c, "factor");
    const wasVerified = await inTransaction(auth.db.admin, async (db) => {
      // The account first, as everywhere: two calls that hold both must not wait for each other.
      await db.query("select 1 from auth.users where id = $1 for update", [user.id]);
      const factor = await holdFactor(db, user.id, id);
      const verified = factor.status === "verified";
      if (verified && session.aal !== "aal2") {
        const message = "AAL2 required to unenroll verified factor";
        throw new AuthError(422, "insufficient_aal", message);
      }
      await removeFactor(db, user.id, id, session.id);
      const traits = { factor_id: id, factor_status: factor.status, session_id: session.id };
      await record(db, "factor_unenrolled", user, auth.addressOf(c), traits);
      return verified;
    });
    if (wasVerified) tellOwner(auth, user);
    return c.json({ id });
  };
}

async function userOf(auth: AuthContext, c: Context): Promise<User> {
  const id = c.req.param("id") ?? "";
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "user_id must be an UUID");
  const user = await findUser(auth.db.admin, id);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

/** `GET /admin/users/:id/factors`: the factors of an account, for the service role. */
export function listFactors(auth: AuthContext): Handler {
  return async (c) => c.json((await userOf(auth, c)).factors ?? []);
}

/** `DELETE /admin/users/:id/factors/:factor`: removes a factor of an account, for the service role. */
export function deleteFactor(auth: AuthContext): Handler {
  return async (c) => {
    const user = await userOf(auth, c);
    const id = factorIdOf(c, "factor");
    const factor = user.factors?.find((one) => one.id === id);
    if (!factor) throw factorNotFound();
    await inTransaction(auth.db.admin, async (db) => {
      await removeFactor(db, user.id, id, undefined);
      const traits = { user_id: user.id, factor_id: id };
      await record(db, "factor_deleted", "service_role", auth.addressOf(c), traits);
    });
    // Also of one that counts no more: recovery codes void a factor before it is removed here.
    tellOwner(auth, user);
    return c.json(factor);
  };
}
