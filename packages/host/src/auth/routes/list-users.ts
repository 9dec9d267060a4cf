import type { Handler } from "hono";
import { validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { userJson } from "../users/user-json.ts";
import { authenticatedRole, selectUsersSql, type User } from "../users/users.ts";

const defaultPageSize = 50;
const maxPageSize = 1000;
const maxPage = 1_000_000;

function parsePageNumber(value: string | undefined, fallback: number, max: number): number {
  if (value === undefined || value === "") return fallback;
  if (!/^\d{1,7}$/.test(value)) throw validationFailed("Bad Pagination Parameters: not a number");
  return Math.min(Math.max(1, Number(value)), max);
}

/** `GET /admin/users?page=&per_page=&filter=`: accounts, newest first. */
export function listUsers(auth: AuthContext): Handler {
  return async (c) => {
    const page = parsePageNumber(c.req.query("page"), 1, maxPage);
    const perPage = parsePageNumber(c.req.query("per_page"), defaultPageSize, maxPageSize);
    const filter = (c.req.query("filter") ?? "").replaceAll("\0", "").toWellFormed();
    const matches = "($1 = '' or strpos(lower(coalesce(u.email, '')), lower($1)) > 0)";
    const { rows: counted } = await auth.db.admin.query<{ total: number }>(
      `select count(*)::int as total from auth.users u where ${matches}`,
      [filter],
    );
    const { rows } = await auth.db.admin.query<User>(
      `${selectUsersSql} where ${matches} order by u.created_at desc, u.id limit $2 offset $3`,
      [filter, perPage, (page - 1) * perPage],
    );
    const total = counted[0]?.total ?? 0;
    const lastPage = Math.ceil(total / perPage);
    const link = (number: number, rel: string) =>
      `<${auth.apiUrl}/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    const links = [...(page < lastPage ? [link(page + 1, "next")] : []), link(lastPage, "last")];
    c.header("link", links.join(", "));
    c.header("x-total-count", String(total));
    return c.json({ users: rows.map(userJson), aud: authenticatedRole });
  };
}
