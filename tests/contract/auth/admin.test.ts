import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, inject, test } from "vitest";
import {
  anonymous,
  clientWith,
  newEmail,
  ownerPool,
  testPassword,
  serviceRole,
  signUp,
} from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

const admin = serviceRole().auth.admin;

describe("the admin API", () => {
  test("rejects every caller except the service role", async () => {
    const { client } = await signUp();
    const { data } = await client.auth.getSession();
    const attempts = [
      { authorization: `Bearer ${host.anonKey}` },
      { authorization: `Bearer ${data.session?.access_token}` },
      {},
    ];
    const paths = ["/admin/users", `/admin/users/${randomUUID()}`, "/admin/audit"];
    for (const headers of attempts) {
      for (const path of paths) {
        const { status, body } = await call(host, path, { headers });
        expect([status, body["code"]]).toEqual([403, "not_admin"]);
      }
      for (const path of ["/admin/users", "/admin/generate_link", "/invite"]) {
        const { status } = await call(host, path, { headers, body: { email: newEmail() } });
        expect(status).toBe(403);
      }
    }
  });

  test("accepts a secret key", async () => {
    const { error } = await clientWith(host.secretKey).auth.admin.listUsers();
    expect(error).toBeNull();
  });

  test("creates an account with the given fields", async () => {
    const [email, id] = [newEmail(), randomUUID()];
    const { data, error } = await admin.createUser({
      id,
      email,
      password: testPassword,
      email_confirm: true,
      role: "authenticated",
      user_metadata: { name: "Ada" },
      app_metadata: { tier: "gold" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      id,
      email,
      user_metadata: { name: "Ada" },
      app_metadata: { tier: "gold", provider: "email" },
    });
    const signedIn = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(signedIn.error).toBeNull();
  });

  test("rejects invalid accounts", async () => {
    const { email, id } = await signUp();
    const attempt = async (attributes: Parameters<typeof admin.createUser>[0]) => {
      const { error } = await admin.createUser(attributes);
      return [error?.status, error?.code];
    };
    expect(await attempt({ email })).toEqual([422, "email_exists"]);
    expect(await attempt({ email: newEmail(), id })).toEqual([422, "user_already_exists"]);
    expect(await attempt({})).toEqual([400, "validation_failed"]);
    expect(await attempt({ email: newEmail(), id: "7" })).toEqual([400, "validation_failed"]);
    expect(await attempt({ email: newEmail(), role: "a b" })).toEqual([400, "validation_failed"]);
    expect(await attempt({ email: newEmail(), ban_duration: "soon" })).toEqual([
      400,
      "validation_failed",
    ]);
    expect(await attempt({ email: newEmail(), password_hash: "$1$md5" })).toEqual([
      400,
      "validation_failed",
    ]);
    expect(await attempt({ email: newEmail(), password_hash: `$2b$31$${"a".repeat(53)}` })).toEqual(
      [400, "validation_failed"],
    );
  });

  test("reads and lists accounts, newest first and page by page", async () => {
    const made = [await signUp(), await signUp(), await signUp()].toReversed();
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.error).toBeNull();
    expect(first.data.users).toHaveLength(2);
    const { total, nextPage } = first.data as { total: number; nextPage: number | null };
    expect(total).toBeGreaterThanOrEqual(3);
    expect(nextPage).toBe(2);
    const created = first.data.users.map((user) => Date.parse(user.created_at));
    expect(created).toEqual(created.toSorted((a, b) => b - a));
    const one = await admin.getUserById(made[0]?.id ?? "");
    expect(one.data.user).toMatchObject({ id: made[0]?.id, email: made[0]?.email });
    const filtered = await call(host, `/admin/users?filter=${made[1]?.email.toUpperCase()}`, {
      headers: { authorization: `Bearer ${host.serviceRoleKey}` },
    });
    expect(filtered.body["users"]).toMatchObject([{ id: made[1]?.id }]);
  });

  test("responds to invalid pages and ids with 4xx", async () => {
    const headers = { authorization: `Bearer ${host.serviceRoleKey}` };
    const ask = async (path: string) =>
      (await call(host, `/admin/users${path}`, { headers })).status;
    expect(await ask("?page=0&per_page=0")).toBe(200);
    expect(await ask("?page=999999&per_page=9999999")).toBe(200);
    expect(await ask("?page=x")).toBe(400);
    expect(await ask("?page=99999999999999999999")).toBe(400);
    expect(await ask("?filter=%00%25'")).toBe(200);
    expect(await ask("/nobody")).toBe(404);
    expect((await admin.getUserById(randomUUID())).error?.code).toBe("user_not_found");
  });

  test("changes address, password, role and metadata", async () => {
    const { id, email, client } = await signUp({ a: 1 });
    const wanted = newEmail();
    const { data, error } = await admin.updateUserById(id, {
      email: wanted,
      email_confirm: true,
      password: "Another-Horse-43!",
      user_metadata: { b: 2 },
      app_metadata: { tier: "gold" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: wanted,
      user_metadata: { a: 1, b: 2 },
      app_metadata: { tier: "gold", provider: "email" },
      identities: [{ identity_data: { email: wanted } }],
    });
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const signedIn = await anonymous().auth.signInWithPassword({
      email: wanted,
      password: "Another-Horse-43!",
    });
    expect(signedIn.error).toBeNull();
    const back = await admin.updateUserById(id, { email: (await signUp()).email });
    expect(back.error?.code).toBe("email_exists");
    const freed = await anonymous().auth.signUp({ email, password: testPassword });
    expect(freed.error).toBeNull();
  });

  test("bans an account, whose access token is then rejected", async () => {
    const { id, client } = await signUp();
    const { data } = await admin.updateUserById(id, { ban_duration: "1h30m" });
    const until = Date.parse((data.user as { banned_until?: string } | null)?.banned_until ?? "");
    expect(Math.abs(until - Date.now() - 90 * 60_000)).toBeLessThan(60_000);
    expect((await client.auth.getUser()).error?.code).toBe("user_banned");
  });

  test("deletes an account with all its data", async () => {
    const { id, email, client } = await signUp();
    await anonymous().auth.resetPasswordForEmail(email);
    expect((await admin.deleteUser(id)).error).toBeNull();
    for (const table of ["identities", "sessions", "one_time_tokens"]) {
      const { rows } = await owner.query(`select 1 from auth.${table} where user_id = $1`, [id]);
      expect(rows).toEqual([]);
    }
    const tokens = await owner.query("select 1 from auth.refresh_tokens where user_id = $1", [id]);
    expect(tokens.rows).toEqual([]);
    expect((await client.auth.getUser()).error?.code).toBe("user_not_found");
    expect((await admin.deleteUser(id)).error?.status).toBe(404);
    expect((await anonymous().auth.signUp({ email, password: testPassword })).error).toBeNull();
  });

  test("soft-deletes an account: the row stays without personal data", async () => {
    const { id, email, client } = await signUp({ name: "Ada" });
    expect((await admin.deleteUser(id, true)).error).toBeNull();
    const { rows } = await owner.query<{ row: string; deleted_at: Date }>(
      "select to_json(u)::text as row, deleted_at from auth.users u where id = $1",
      [id],
    );
    expect(rows[0]?.deleted_at).toBeInstanceOf(Date);
    expect(rows[0]?.row).not.toContain(email);
    expect(rows[0]?.row).not.toContain("Ada");
    expect((await client.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    expect((await anonymous().auth.signUp({ email, password: testPassword })).error).toBeNull();
  });

  test("lists the audit log, newest first, by author, action and type", async () => {
    const { email } = await signUp();
    const headers = { authorization: `Bearer ${host.serviceRoleKey}` };
    const read = async (query: string) =>
      await fetch(`${host.url}/auth/v1/admin/audit?${query}`, {
        headers: { ...headers, apikey: host.serviceRoleKey },
      });
    const own = await read(`query=${encodeURIComponent(`author:${email.toUpperCase()}`)}`);
    expect(own.status).toBe(200);
    const entries = (await own.json()) as { payload: Record<string, unknown> }[];
    expect(entries.length).toBeGreaterThan(0);
    for (const { payload } of entries) expect(payload["actor_username"]).toBe(email);
    expect(Object.keys(entries[0] ?? {})).toEqual(["id", "payload", "created_at", "ip_address"]);
    expect(entries.map(({ payload }) => payload["action"])).toContain("user_signedup");
    const actions = (await (
      await read("query=action:user_signedup&per_page=1")
    ).json()) as unknown[];
    expect(actions).toMatchObject([{ payload: { action: "user_signedup", log_type: "team" } }]);
    const paged = await read("page=1&per_page=1");
    expect(Number(paged.headers.get("x-total-count"))).toBeGreaterThan(1);
    expect(paged.headers.get("link")).toContain('/admin/audit?page=2&per_page=1>; rel="next"');
    for (const query of ["query=ada", "query=constructor:x", "page=one"]) {
      expect((await read(query)).status).toBe(400);
    }
  });
});
