import type { Handler } from "hono";
import type { AuthContext } from "../auth-context.ts";
import { pageOf, paginationHeaders } from "./pagination.ts";
import { userJson } from "../users/user-json.ts";
import { authenticatedRole, selectUsersSql, type User } from "../users/users.ts";

/** `GET /admin/users?page=&per_page=&filter=`: accounts, newest first. */
export function listUsers(auth: AuthContext): Handler {
  return async (c) => {
    const page = pageOf(c);
    const filter = (c.req.query("filter") ?? "").replaceAll("\0", "").toWellFormed();
    const matches = "($1 = '' or strpos(lower(coalesce(u.email, '')), lower($1)) > 0)";
    const { rows: counted } = await auth.db.admin.query<{ total: number }>(
      `select count(*)::int as total from auth.users u where ${matches}`,
      [filter],
    );
    const { rows } = await auth.db.admin.query<User>(
      `${selectUsersSql} where ${matches} order by u.created_at desc, u.id limit $2 offset $3`,
      [filter, page.size, page.offset],
    );
    paginationHeaders(c, `${auth.apiUrl}/admin/users`, page, counted[0]?.total ?? 0);
    return c.json({ users: rows.map(userJson), aud: authenticatedRole });
  };
}
