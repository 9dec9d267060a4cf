import type { Context } from "hono";
import { isUuid } from "../../uuid.ts";
import type { AuthContext } from "../auth-context.ts";
import { AuthError } from "../auth-error.ts";
import { findUser, type User } from "./users.ts";

/**
 * The account that `:id` in the path of a request names.
 * @throws {AuthError} 404 validation_failed for no id, 404 user_not_found for an id of no account.
 */
export async function userFromPath(auth: AuthContext, c: Context): Promise<User> {
  const id = c.req.param("id") ?? "";
  if (!isUuid(id)) throw new AuthError(404, "validation_failed", "user_id must be an UUID");
  const user = await findUser(auth.db.admin, id);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}
