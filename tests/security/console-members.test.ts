import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { anonymous, testPassword, type Account } from "../support/clients.ts";
import { codesOf, enterCode } from "../support/second-factor.ts";
import { errorOf, signInAgain } from "../support/sessions.ts";
import { administrator, member, owner, plainAdministrator } from "./members.ts";

const reason = "Sold a course in every room";

/** Every call of the console's members and audit log. */
const calls = (id: string): Record<string, Record<string, unknown>> => ({
  member_page: {},
  member_detail: { member: id },
  add_member_note: { member: id, note: "Kind" },
  suspend_member: { member: id, reason },
  lift_suspension: { member: id, reason },
  sign_out_member: { member: id, reason },
  set_member_admin: { member: id, is_admin: true, reason },
  audit_page: {},
  audit_choices: {},
  export_audit_log: {},
});

/** The state that no refused call may change. */
async function stateOf(id: string) {
  const { rows } = await owner.query(
    `select u.banned_until, p.role, (select count(*) from auth.sessions s where s.user_id = u.id) as sessions,
       (select count(*) from private.member_notes n where n.user_id = u.id) as notes
     from auth.users u join public.profiles p using (id) where u.id = $1`,
    [id],
  );
  return rows as unknown[];
}

describe("members and audit log of the console", () => {
  let ada: Account;
  beforeAll(async () => {
    ada = await member();
  });

  test.for([
    ["a visitor", async () => await Promise.resolve(anonymous()), "42501"],
    ["a student", async () => (await member()).client, "FF002"],
    ["a mentor", async () => (await member("mentor-access")).client, "FF002"],
    [
      "an administrator without a second factor",
      async () => (await plainAdministrator()).client,
      "FF009",
    ],
  ] as const)("are refused to %s", async ([, enter, code]) => {
    const client: SupabaseClient = await enter();
    const before = await stateOf(ada.id);
    for (const [name, args] of Object.entries(calls(ada.id))) {
      const { data, error } = await client.rpc(name, args);
      expect([data, error?.code], name).toEqual([null, code]);
    }
    for (const table of [
      "member_notes",
      "member_search_index",
      "audit_log",
      "membership_statuses",
    ]) {
      expect((await client.from(table).select()).error?.code, table).toMatch(/^PGRST(205|125)$/);
      const hidden = client.schema("private").from(table).select();
      expect((await hidden).error?.code, table).toBe("PGRST106");
    }
    expect(await stateOf(ada.id)).toEqual(before);
  });
});

describe("a suspended member", () => {
  test("is told so at sign-in and renewal, loses the live channel, and comes back after the lifting", async () => {
    const [ada, admin] = [await member(), await administrator()];
    const other = await signInAgain(ada);
    const { data } = await other.auth.getSession();
    const refresh_token = data.session?.refresh_token ?? "";
    const closed = Promise.withResolvers<void>();
    const joined = Promise.withResolvers<string>();
    ada.client.channel("anywhere").subscribe((status) => {
      joined.resolve(status);
      if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) closed.resolve();
    });
    expect(await joined.promise).toBe("SUBSCRIBED");
    const act = { member: ada.id, reason };
    expect((await admin.client.rpc("suspend_member", act)).error).toBeNull();
    await closed.promise;
    const credentials = { email: ada.email, password: testPassword };
    const door = anonymous();
    expect(errorOf(await door.auth.signInWithPassword(credentials))).toEqual([400, "user_banned"]);
    expect(errorOf(await other.auth.refreshSession({ refresh_token }))).toEqual([
      400,
      "user_banned",
    ]);
    expect((await admin.client.rpc("lift_suspension", act)).error).toBeNull();
    expect(errorOf(await door.auth.refreshSession({ refresh_token }))).toEqual([
      400,
      "session_expired",
    ]);
    expect((await door.auth.signInWithPassword(credentials)).error).toBeNull();
    await ada.client.realtime.disconnect();
  });
});

describe("the administrator role", () => {
  test("needs a code of the last five minutes, of a factor older than the session, and no other administrator's", async () => {
    const [ada, admin] = [await member(), await administrator()];
    const { factor } = admin;
    const act = { member: ada.id, is_admin: true, reason };
    await owner.query(
      `update auth.mfa_amr_claims set updated_at = now() - interval '6 minutes'
        where authentication_method = 'totp' and session_id in (select id from auth.sessions where user_id = $1)`,
      [admin.id],
    );
    expect((await admin.client.rpc("set_member_admin", act)).error?.code).toBe("FF006");
    // A fresh code in another session does not count for this one.
    await enterCode(await signInAgain(admin), factor.id, factor.nextCode());
    expect((await admin.client.rpc("set_member_admin", act)).error?.code).toBe("FF006");
    expect(await stateOf(ada.id)).toMatchObject([{ role: "student" }]);
    await owner.query("update auth.mfa_factors set last_used_step = 0 where id = $1", [factor.id]);
    await enterCode(admin.client, factor.id, codesOf(factor.secret)());
    // A thief of this session could have set the factor up as well.
    expect((await admin.client.rpc("set_member_admin", act)).error?.code).toBe("FF007");
    expect(await stateOf(ada.id)).toMatchObject([{ role: "student" }]);
    const later = await signInAgain(admin);
    await owner.query("update auth.mfa_factors set last_used_step = 0 where id = $1", [factor.id]);
    await enterCode(later, factor.id, codesOf(factor.secret)());
    expect((await later.rpc("set_member_admin", act)).error).toBeNull();
    expect(await stateOf(ada.id)).toMatchObject([{ role: "admin" }]);
    // The new administrator cannot act before setting up a second factor.
    const back = { member: admin.id, is_admin: false, reason };
    expect((await ada.client.rpc("set_member_admin", back)).error?.code).toBe("FF009");
  });
});
