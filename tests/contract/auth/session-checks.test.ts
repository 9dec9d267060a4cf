import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newEmail, testPassword } from "../../support/clients.ts";
import type { RunningHost } from "../../support/running.ts";
import { SoftwarePasskey } from "../../support/software-passkey.ts";
import { clientOf } from "./requests.ts";
import { startHostWith } from "./start-host-with.ts";

const origin = "https://app.example.test";
const config = `[auth]
site_url = "${origin}"
[auth.email]
require_current_password = true
[auth.passkey]
enabled = true`;

let running: RunningHost;
let stop: () => Promise<void>;
let owner: pg.Pool;
let admin: SupabaseClient["auth"]["admin"];
beforeAll(async () => {
  ({ running, stop } = await startHostWith(config));
  owner = new pg.Pool({ connectionString: running.databaseUrl, max: 2 });
  admin = createClient(running.url, running.serviceRoleKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth.admin;
});
afterAll(async () => {
  await owner.end();
  await stop();
});

const newPassword = "Another-Horse-43!";

/** A member with a password, signed in. */
async function member() {
  const email = newEmail();
  const { data } = await admin.createUser({ email, password: testPassword, email_confirm: true });
  const client = clientOf(running);
  await client.auth.signInWithPassword({ email, password: testPassword });
  return { email, client, id: data.user?.id ?? "" };
}

/** A member who has no password yet, signed in by a link. */
async function withoutPassword() {
  const email = newEmail();
  const { data } = await admin.createUser({ email, email_confirm: true });
  await owner.query("update auth.users set encrypted_password = null where id = $1", [
    data.user?.id,
  ]);
  const link = await admin.generateLink({ type: "magiclink", email });
  const client = clientOf(running);
  const token_hash = link.data.properties?.hashed_token ?? "";
  expect((await client.auth.verifyOtp({ type: "magiclink", token_hash })).error).toBeNull();
  return { email, client, id: data.user?.id ?? "" };
}

/** As if the account had been signed in for an hour. */
const age = async (id: string) =>
  await owner.query(
    `update auth.mfa_amr_claims set created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'
      where session_id in (select s.id from auth.sessions s where s.user_id = $1)`,
    [id],
  );

const passwordWorks = async (email: string, password: string) =>
  (await clientOf(running).auth.signInWithPassword({ email, password })).error === null;

test("a request whose session ends before it is done changes no password", async () => {
  const { email, client, id } = await member();
  const other = await owner.connect();
  try {
    await other.query("begin");
    await other.query("select 1 from auth.users where id = $1 for update", [id]);
    const answer = client.auth.updateUser({
      password: newPassword,
      current_password: testPassword,
    });
    // It was checked, and waits for the account's row.
    await expect
      .poll(async () => {
        const { rowCount } = await owner.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%auth.users%for update'`,
        );
        return rowCount;
      })
      .toBe(1);
    await other.query("delete from auth.sessions where user_id = $1", [id]);
    await other.query("commit");
    // The client's own error for `session_not_found`.
    expect((await answer).error?.name).toBe("AuthSessionMissingError");
  } finally {
    other.release();
  }
  expect(await passwordWorks(email, newPassword)).toBe(false);
  expect(await passwordWorks(email, testPassword)).toBe(true);
});

test("a first password is set by who has just signed in, and by nobody else", async () => {
  const fresh = await withoutPassword();
  expect((await fresh.client.auth.updateUser({ password: newPassword })).error).toBeNull();
  expect(await passwordWorks(fresh.email, newPassword)).toBe(true);
  const stale = await withoutPassword();
  await age(stale.id);
  const { error } = await stale.client.auth.updateUser({ password: newPassword });
  expect([error?.status, error?.code]).toEqual([400, "reauthentication_needed"]);
  expect(await passwordWorks(stale.email, newPassword)).toBe(false);
});

test("a passkey is added by who has just signed in, and by nobody else", async () => {
  const browser = createClient(running.url, running.anonKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      experimental: { passkey: true },
    },
  });
  const { email, id } = await member();
  expect((await browser.auth.signInWithPassword({ email, password: testPassword })).error).toBe(
    null,
  );
  const started = await browser.auth.passkey.startRegistration();
  expect(started.error).toBeNull();
  const { challenge_id: challengeId, options } = started.data ?? {
    challenge_id: "",
    options: null,
  };
  if (options === null) throw new Error("no options");
  const passkey = new SoftwarePasskey(origin, "app.example.test");
  const credential = passkey.create(options, {});
  const { error } = await browser.auth.passkey.verifyRegistration({ challengeId, credential });
  expect(error).toBeNull();
  await age(id);
  const later = await browser.auth.passkey.startRegistration();
  expect([later.error?.status, later.error?.code]).toEqual([400, "reauthentication_needed"]);
});
