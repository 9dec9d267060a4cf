import pg from "pg";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { call } from "./requests.ts";

type Fixture = Awaited<ReturnType<typeof startFixtureHost>>;

let host: Fixture;
let owner: pg.Pool;
beforeAll(async () => {
  host = await startFixtureHost({});
  owner = new pg.Pool({ connectionString: host.running.databaseUrl, max: 2 });
});
afterAll(async () => {
  await owner.end();
  await host.stop();
});

async function purge(): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("set local role supabase_auth_admin");
    await client.query("select host.purge_accounts(1000)");
    await client.query("commit");
  } finally {
    client.release(true);
  }
}

async function ids(text: string, values: unknown[]): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(text, values);
  return rows.map(({ id }) => id);
}

async function account(isConfirmed: boolean): Promise<{ id: string; email: string }> {
  const email = newEmail();
  const { status, body } = await call(host.running, "/admin/users", {
    body: { email, password: testPassword, email_confirm: isConfirmed },
    headers: { authorization: `Bearer ${host.running.serviceRoleKey}` },
  });
  expect(status).toBe(200);
  return { id: String((body as { id: unknown }).id), email };
}

async function aged(id: string, days: number, columns = ""): Promise<void> {
  await owner.query(
    `update auth.users set created_at = now() - make_interval(hours => $2) ${columns} where id = $1`,
    [id, days * 24],
  );
}

describe("retention of auth data", () => {
  test("keeps 90 days of the audit log", async () => {
    const [young, old] = [randomUUID(), randomUUID()];
    await owner.query(
      `insert into auth.audit_log_entries (id, payload, created_at) values
         ($1, '{}', now() - interval '89 days'), ($2, '{}', now() - interval '91 days')`,
      [young, old],
    );
    await purge();
    const kept = "select id from auth.audit_log_entries where id = any ($1::uuid[])";
    expect(await ids(kept, [[young, old]])).toEqual([young]);
  });

  test("deletes an account that was not confirmed and never signed in after 7 days", async () => {
    const [old, young, signedIn, confirmed, invited] = [
      await account(false),
      await account(false),
      await account(false),
      await account(true),
      await account(false),
    ];
    await aged(old.id, 8);
    await aged(young.id, 6);
    await aged(signedIn.id, 8, ", last_sign_in_at = now()");
    await aged(confirmed.id, 8);
    // A link that was just sent must still work.
    await aged(invited.id, 8, ", invited_at = now()");
    await purge();
    const all = [old, young, signedIn, confirmed, invited].map(({ id }) => id);
    const kept = await ids("select id from auth.users where id = any ($1::uuid[])", [all]);
    expect(kept.toSorted()).toEqual(all.slice(1).toSorted());
    expect(await ids("select id from auth.identities where user_id = $1", [old.id])).toEqual([]);
  });

  test("deletes used refresh tokens after 7 days and keeps the current one", async () => {
    const { id, email } = await account(true);
    const signIn = async () =>
      await call(host.running, "/token?grant_type=password", {
        body: { email, password: testPassword },
      });
    expect((await signIn()).status).toBe(200);
    const [session] = await ids("select id from auth.sessions where user_id = $1", [id]);
    await owner.query(
      "update auth.refresh_tokens set updated_at = now() - interval '1 year' where session_id = $1",
      [session],
    );
    await owner.query(
      `insert into auth.refresh_tokens (token, user_id, session_id, revoked, updated_at) values
         ($1 || 'old', $1, $2, true, now() - interval '8 days'),
         ($1 || 'new', $1, $2, true, now() - interval '6 days')`,
      [id, session],
    );
    await purge();
    const { rows } = await owner.query<{ revoked: boolean; token: string }>(
      "select revoked, right(token, 3) as token from auth.refresh_tokens where user_id = $1 order by revoked",
      [id],
    );
    expect(rows).toEqual([
      { revoked: false, token: expect.any(String) },
      { revoked: true, token: "new" },
    ]);
  });

  test("keeps the 50 most recently used sessions of an account", async () => {
    const [{ id }, other] = [await account(true), await account(true)];
    const open = `insert into auth.sessions (id, user_id, aal, created_at, refreshed_at)
      select gen_random_uuid(), $1, 'aal1', now() - make_interval(hours => i),
             case when i = 60 then now() at time zone 'utc' end
        from generate_series(1, $2) i returning id`;
    const opened = await ids(open, [id, 60]);
    await owner.query(open, [other.id, 50]);
    await purge();
    const kept = await ids("select id from auth.sessions where user_id = $1", [id]);
    // The oldest session was just refreshed.
    const expected = opened.filter((_, place) => place < 49 || place === 59);
    expect(kept.toSorted()).toEqual(expected.toSorted());
    expect(await ids("select id from auth.sessions where user_id = $1", [other.id])).toHaveLength(
      50,
    );
  });
});
