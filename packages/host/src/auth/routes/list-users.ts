import type { Handler } from "hono";
import { invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { userJson } from "../users/user-json.ts";
import { ORDINARY, SELECT_USERS, type User } from "../users/users.ts";

const USUAL_PAGE = 50;
const LARGEST_PAGE = 1000;
const LAST_PAGE = 1_000_000;

function wholeNumber(value: string | undefined, usual: number, most: number): number {
  if (value === undefined || value === "") return usual;
  if (!/^\d{1,7}$/.test(value)) throw invalid("Bad Pagination Parameters: not a number");
  return Math.min(Math.max(1, Number(value)), most);
}

/** `GET /admin/users?page=&per_page=&filter=`: accounts, newest first. */
export function listUsers(auth: AuthContext): Handler {
  return async (c) => {
    const page = wholeNumber(c.req.query("page"), 1, LAST_PAGE);
    const perPage = wholeNumber(c.req.query("per_page"), USUAL_PAGE, LARGEST_PAGE);
    const filter = (c.req.query("filter") ?? "").replaceAll("\0", "").toWellFormed();
    const matches = "($1 = '' or strpos(lower(coalesce(u.email, '')), lower($1)) > 0)";
    const { rows: counted } = await auth.db.admin.query<{ total: number }>(
      `select count(*)::int as total from auth.users u where ${matches}`,
      [filter],
    );
    const { rows } = await auth.db.admin.query<User>(
      `${SELECT_USERS} where ${matches} order by u.created_at desc, u.id limit $2 offset $3`,
      [filter, perPage, (page - 1) * perPage],
    );
    const total = counted[0]?.total ?? 0;
    const lastPage = Math.ceil(total / perPage);
    const link = (number: number, rel: string) =>
      `<${auth.apiUrl}/admin/users?page=${number}&per_page=${perPage}>; rel="${rel}"`;
    const links = [...(page < lastPage ? [link(page + 1, "next")] : []), link(lastPage, "last")];
    c.header("link", links.join(", "));
    c.header("x-total-count", String(total));
    return c.json({ users: rows.map(userJson), aud: ORDINARY });
  };
}
