import type pg from "pg";
import { describe, expect } from "vitest";
import { connectTestOwner, test, untilBlocked, type World } from "./world.ts";

const suspendSql = "select public.suspend_member($1, $2)";
const liftSql = "select public.lift_suspension($1, $2)";
const signOutSql = "select public.sign_out_member($1, $2)";
const setAdminSql = "select public.set_member_admin($1, $2, $3)";
const why = "Sold a course in every room";

/** An administrator who has just entered a code, or so many minutes ago. */
async function freshAdmin(world: World, minutesAgo = 0): Promise<string> {
  const id = await world.admin();
  await world.run(
    "owner",
    `insert into auth.mfa_amr_claims (session_id, authentication_method, updated_at)
       values ($1, 'totp', now() - make_interval(mins => $2))`,
    [id, minutesAgo],
  );
  return id;
}

async function lastEntry(world: World, subject: string) {
  const sql =
    "select actor, action, detail from private.audit_log where subject = $1 order by id desc limit 1";
  return await world.one("owner", sql, [subject]);
}

describe("acts on accounts", () => {
  test("are refused to visitors, members, mentors and administrators without a second factor", async ({
    world,
  }) => {
    const [ada, mentor] = [await world.member(), await world.member("mentor-access")];
    for (const schema of ["public", "private"]) {
      for (const act of [
        `suspend_member($1, '${why}', null)`,
        `lift_suspension($1, '${why}')`,
        `sign_out_member($1, '${why}')`,
        `set_member_admin($1, true, '${why}')`,
        `admin_begin_stop_renewal($1, '${why}')`,
      ]) {
        const sql = `select ${schema}.${act}`;
        await world.refused("anon", "42501", sql, [ada]);
        for (const actor of [ada, mentor]) await world.refused(actor, "FF002", sql, [ada]);
        await world.refused(await world.plainAdmin(), "FF005", sql, [ada]);
      }
    }
    const entries = "select from private.audit_log where subject = $1";
    expect(await world.run("owner", entries, [ada])).toEqual([]);
    for (const inner of [
      "require_fresh_second_factor()",
      "require_other_account($1, $1)",
      "require_act_reason('x')",
    ]) {
      await world.refused(
        ada,
        "42501",
        `select private.${inner}`,
        inner.includes("$1") ? [ada] : [],
      );
    }
  });

  test("need a reason, an account that exists, and not one's own", async ({ world }) => {
    const [admin, ada] = [await freshAdmin(world), await world.member()];
    const nobody = "00000000-0000-4000-8000-000000000000";
    for (const [sql, more] of [
      [suspendSql, []],
      [liftSql, []],
      [signOutSql, []],
      [setAdminSql, [true]],
    ] as const) {
      for (const reason of [null, "  ", "x".repeat(501)]) {
        await world.refused(admin, "FF511", sql, [ada, ...more, reason]);
      }
      await world.refused(admin, "FF510", sql, [nobody, ...more, why]);
      await world.refused(admin, "FF513", sql, [admin, ...more, why]);
    }
  });
});

describe("a suspension", () => {
  test("ends every session, is told by e-mail and recorded with the reason", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    await world.run(admin, suspendSql, [ada, `  ${why}  `]);
    await world.refused(ada, "PGRST", "select hooks.check_request()");
    const account =
      "select banned_until > now() + interval '99 years' as for_good from auth.users where id = $1";
    expect(await world.one("owner", account, [ada])).toEqual({ for_good: true });
    expect(await lastEntry(world, ada)).toEqual({
      actor: admin,
      action: "account.suspended",
      detail: { reason: why, before: { suspended: false }, after: { suspended: true } },
    });
    const mail =
      "select template, data from private.email_outbox where user_id = $1 and template = 'account_suspended'";
    expect(await world.one("owner", mail, [ada])).toMatchObject({ data: { reason: why } });
    const detail = await world.one(admin, "select public.member_detail($1) as d", [ada]);
    expect(detail["d"]).toMatchObject({
      account: { sessions: 0, suspension: { until: null, reason: why } },
    });
  });

  test("is lifted with a reason; the ended sessions stay ended", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    await world.refused(admin, "FF512", liftSql, [ada, why]);
    await world.run(admin, suspendSql, [ada, why]);
    await world.refused(admin, "FF512", suspendSql, [ada, why]);
    await world.run(admin, liftSql, [ada, "A mistake"]);
    const account = "select banned_until from auth.users where id = $1";
    expect(await world.one("owner", account, [ada])).toEqual({ banned_until: null });
    expect(await lastEntry(world, ada)).toEqual({
      actor: admin,
      action: "account.suspension_lifted",
      detail: { reason: "A mistake", before: { suspended: true }, after: { suspended: false } },
    });
    await world.refused(ada, "PGRST", "select hooks.check_request()");
  });

  test("lasts 1 to 365 days when it has an end, and then ends by itself", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const sql = "select public.suspend_member($1, $2, $3)";
    for (const days of [0, -1, 366]) await world.refused(admin, "FF515", sql, [ada, why, days]);
    await world.run(admin, sql, [ada, why, 7]);
    const until =
      "select banned_until = now() + interval '7 days' as right from auth.users where id = $1";
    expect(await world.one("owner", until, [ada])).toEqual({ right: true });
    const { detail } = await lastEntry(world, ada);
    expect(detail).toMatchObject({
      after: { suspended: true, until: expect.any(String) as string },
    });
    await world.run("owner", "update auth.users set banned_until = now() where id = $1", [ada]);
    await world.refused(admin, "FF512", liftSql, [ada, why]);
    await world.run(admin, sql, [ada, why, 30]);
  });

  test("is for members: an administrator loses the role first", async ({ world }) => {
    const [admin, other] = [await freshAdmin(world), await world.admin()];
    await world.refused(admin, "FF514", suspendSql, [other, why]);
    await world.run(admin, setAdminSql, [other, false, why]);
    await world.run(admin, suspendSql, [other, why]);
  });
});

describe("signing a member out", () => {
  test("ends every session of that member, and of no other", async ({ world }) => {
    const [admin, ada, bob] = [await world.admin(), await world.member(), await world.member()];
    await world.run(
      "owner",
      "insert into auth.sessions (id, user_id, aal) values (gen_random_uuid(), $1, 'aal1')",
      [ada],
    );
    expect(await world.one(admin, signOutSql, [ada, why])).toEqual({ sign_out_member: 2 });
    await world.refused(ada, "PGRST", "select hooks.check_request()");
    await world.run(bob, "select hooks.check_request()");
    expect(await lastEntry(world, ada)).toEqual({
      actor: admin,
      action: "account.signed_out",
      detail: { reason: why, before: { sessions: 2 }, after: { sessions: 0 } },
    });
  });
});

describe("the administrator role", () => {
  test("is given and taken after a code of the last five minutes only", async ({ world }) => {
    const [ada, stale] = [await world.member("mentor-access"), await freshAdmin(world, 6)];
    const confirm = "update auth.users set email_confirmed_at = now() where id = $1";
    await world.run("owner", confirm, [ada]);
    for (const admin of [await world.admin(), stale]) {
      await world.refused(admin, "FF006", setAdminSql, [ada, true, why]);
    }
    const admin = await freshAdmin(world, 4);
    await world.run(admin, setAdminSql, [ada, true, why]);
    expect(await lastEntry(world, ada)).toEqual({
      actor: admin,
      action: "account.made_admin",
      detail: { reason: why, before: { role: "mentor" }, after: { role: "admin" } },
    });
    await world.refused(admin, "FF516", setAdminSql, [ada, true, why]);
    await world.refused(stale, "FF006", setAdminSql, [ada, false, why]);
    // An appointment by the operator ends with the role.
    await world.run(
      "owner",
      "insert into private.pending_admins values ($1, now() + interval '1 day')",
      [ada],
    );
    await world.run(admin, setAdminSql, [ada, false, why]);
    expect(await lastEntry(world, ada)).toMatchObject({
      action: "account.removed_admin",
      detail: { before: { role: "admin" }, after: { role: "mentor" } },
    });
    expect(
      await world.run("owner", "select from private.pending_admins where user_id = $1", [ada]),
    ).toEqual([]);
    await world.refused(admin, "FF516", setAdminSql, [ada, null, why]);
  });

  test("is not for a suspended account, nor for an unconfirmed address", async ({ world }) => {
    const [admin, ada] = [await freshAdmin(world), await world.member()];
    await world.run("owner", "update auth.users set email_confirmed_at = null where id = $1", [
      ada,
    ]);
    await world.refused(admin, "FF517", setAdminSql, [ada, true, why]);
    await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [
      ada,
    ]);
    await world.run(admin, suspendSql, [ada, why]);
    await world.refused(admin, "FF517", setAdminSql, [ada, true, why]);
  });
});

test("two administrators cannot take the role from each other at the same moment", async ({
  owner,
}) => {
  const second = await connectTestOwner();
  const ids = [
    "a0000000-0000-4000-8000-00000000ad01",
    "a0000000-0000-4000-8000-00000000ad02",
  ] as const;
  try {
    for (const id of ids) {
      await owner.query(
        "insert into auth.users (id, email) values ($1::uuid, $1::text || '@example.test')",
        [id],
      );
      await owner.query(
        "insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status) values ($1, $1, 'x', 'totp', 'verified')",
        [id],
      );
      await owner.query(
        "insert into auth.sessions (id, user_id, aal, factor_id) values ($1, $1, 'aal2', $1)",
        [id],
      );
      await owner.query(
        "insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, 'totp')",
        [id],
      );
      await owner.query("select private.make_admin($1)", [id]);
    }
    const [one, other] = ids;
    const actAs = async (client: pg.Client, id: string) => {
      await client.query("begin");
      const claims = { sub: id, session_id: id, aal: "aal2", role: "authenticated" };
      await client.query(
        "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
        [JSON.stringify(claims)],
      );
    };
    await actAs(owner, one);
    await actAs(second, other);
    await owner.query(setAdminSql, [other, false, "First"]);
    const pid = Number(
      (await second.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid,
    );
    const waiting = second
      .query(setAdminSql, [one, false, "Second"])
      .catch((error: unknown) => error);
    const watcher = await connectTestOwner();
    await untilBlocked(watcher, pid);
    await watcher.end();
    await owner.query("commit");
    expect(await waiting).toMatchObject({ code: "FF002" });
    await second.query("rollback");
    const { rows } = await owner.query(
      "select id, role from public.profiles where id = any ($1) order by id",
      [ids],
    );
    expect(rows).toEqual([
      { id: one, role: "admin" },
      { id: other, role: "student" },
    ]);
  } finally {
    await second.end();
    await owner.query("rollback");
    await owner.query("delete from auth.users where id = any ($1)", [ids]);
  }
});
