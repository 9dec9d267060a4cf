// Returns pages of the auth audit log, searched by author, action or type; `auth/audit-log.ts` writes it.

import type { Handler } from "hono";
import { validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { pageOf, paginationHeaders } from "./pagination.ts";

interface AuditEntry {
  id: string;
  payload: unknown;
  created_at: Date;
  ip_address: string;
}

/** What a search may name, and the fields of an entry that it compares. */
const searchable: Readonly<Record<string, readonly string[]>> = {
  author: ["actor_username", "actor_name"],
  action: ["action"],
  type: ["log_type"],
};

/** Reads a search such as `author:ada`. */
function parseSearch(text: string): { fields: readonly string[]; value: string } | undefined {
  if (text === "") return undefined;
  const at = text.indexOf(":");
  const name = text.slice(0, Math.max(at, 0));
  const fields = Object.hasOwn(searchable, name) ? searchable[name] : undefined;
  if (fields === undefined) {
    throw validationFailed("The query must be author:…, action:… or type:…");
  }
  return { fields, value: text.slice(at + 1) };
}

/** `GET /admin/audit?page=&per_page=&query=`: the audit log, newest first. */
export function listAuditLog(auth: AuthContext): Handler {
  return async (c) => {
    const page = pageOf(c);
    const query = (c.req.query("query") ?? "").replaceAll("\0", "").toWellFormed();
    const search = parseSearch(query);
    const matches = `$1::text[] is null or exists (
      select from unnest($1::text[]) as f(name) where strpos(lower(payload ->> f.name), lower($2)) > 0)`;
    const values = [search?.fields ?? null, search?.value ?? ""];
    const { rows: counted } = await auth.db.admin.query<{ total: number }>(
      `select count(*)::int as total from auth.audit_log_entries where ${matches}`,
      values,
    );
    const { rows } = await auth.db.admin.query<AuditEntry>(
      `select id, payload, created_at, ip_address from auth.audit_log_entries where ${matches}
        order by created_at desc, id limit $3 offset $4`,
      [...values, page.size, page.offset],
    );
    paginationHeaders(c, `${auth.apiUrl}/admin/audit`, page, counted[0]?.total ?? 0);
    return c.json(rows);
  };
}
