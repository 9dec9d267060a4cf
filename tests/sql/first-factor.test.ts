import { describe, expect } from "vitest";
import { insertMessage } from "./chat-world.ts";
import { test, type World } from "./world.ts";

const stateSql = "select private.session_state() as state";
const check = "select hooks.check_request()";

async function stateOf(world: World, account: string): Promise<unknown> {
  // The function is the platform's: no member may call it.
  await world.run("owner", "grant execute on function private.session_state() to authenticated");
  return (await world.one(account, stateSql))["state"];
}

/** The session of an account was begun in this way, so many minutes ago. */
async function begun(world: World, account: string, method: string, minutesAgo = 0): Promise<void> {
  await world.run(
    "owner",
    `insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
       values ($1, $2, now() - make_interval(mins => $3), now())`,
    [account, method, minutesAgo],
  );
}

/** Verifies the account's first factor and raises its session, as the auth service does. */
async function setUp(
  world: World,
  account: string,
  kind: "totp" | "webauthn" = "totp",
): Promise<unknown> {
  const factor = await world.one(
    "owner",
    `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status)
       values ($1, gen_random_uuid()::text, $2::auth.factor_type, 'unverified') returning id`,
    [account, kind],
  );
  // One statement, because both steps are one transaction there.
  return await world
    .run(
      "owner",
      `do $$ begin
         update auth.mfa_factors set status = 'verified' where id = '${String(factor["id"])}';
         update auth.sessions set aal = 'aal2', factor_id = '${String(factor["id"])}' where id = '${account}';
       end $$`,
    )
    .then(
      () => "set up",
      ({ code }: { code?: string }) => code,
    );
}

/** An account that `npm run admin` has named, before it has replaced its one-time password. */
async function appointed(world: World): Promise<string> {
  const id = await world.account();
  await world.run("owner", "select private.appoint_admin($1, now() + interval '1 day')", [id]);
  await world.run(
    "owner",
    "update auth.sessions set created_at = now() - interval '1 minute' where id = $1",
    [id],
  );
  return id;
}

async function choosePassword(world: World, account: string): Promise<void> {
  await world.run("owner", "update auth.users set encrypted_password = 'new' where id = $1", [
    account,
  ]);
}

describe("an administrator without a second factor", () => {
  test("is refused at every request, and passes with one", async ({ world }) => {
    const plain = await world.plainAdmin();
    await world.refused(plain, "PGRST", check);
    expect(await stateOf(world, plain)).toBe("first_factor_link_due");
    await begun(world, plain, "otp");
    expect(await stateOf(world, plain)).toBe("first_factor_due");
    await world.refused(plain, "PGRST", check);
    for (const account of [await world.admin(), await world.member()]) {
      await world.run(account, check);
      expect(await stateOf(world, account)).toBe("live");
    }
  });

  test("has no rights of an administrator, a member or a mentor", async ({ world }) => {
    const rights = `select private.caller_is_admin() as admin, private.caller_is_member() as member,
      private.caller_is_mentor() as mentor, private.caller_effective_level() as level, private.session_is_live() as live`;
    const plain = await world.plainAdmin();
    expect(await world.one(plain, rights)).toEqual({
      admin: false,
      member: false,
      mentor: false,
      level: 0,
      live: false,
    });
    expect(await world.one(await world.admin(), rights)).toEqual({
      admin: true,
      member: true,
      mentor: true,
      level: 4,
      live: true,
    });
    await world.refused(plain, "FF005", "select public.admin_overview()");
  });

  test("reads and is sent nothing of others, also with a membership of their own", async ({
    world,
  }) => {
    const [ada, plain, admin] = [await world.member(), await world.member(), await world.admin()];
    await world.run("owner", "select private.make_admin($1)", [plain]);
    const { id } = await insertMessage(world, ada, "Hello");
    const visible = "select from public.chat_messages where id = $1";
    const profile = "select from public.profiles where id = $1";
    for (const sql of [visible, profile]) {
      const values = [sql === visible ? id : ada];
      expect(await world.run(plain, sql, values)).toEqual([]);
      expect(await world.run(admin, sql, values)).toHaveLength(1);
    }
    // Whom a change of the row is sent to.
    const recipients = `select private.chat_message_authorized_users(m, $2) as ids
      from public.chat_messages m where id = $1`;
    expect(await world.one("owner", recipients, [id, [plain, admin]])).toEqual({ ids: [admin] });
  });
});

describe("the first second factor of an administrator", () => {
  test("is not set up with a password, nor with an old or another link", async ({ world }) => {
    const plain = await world.plainAdmin();
    await begun(world, plain, "password");
    expect(await setUp(world, plain)).toBe("PT403");
    await begun(world, plain, "email_change");
    expect(await setUp(world, plain)).toBe("PT403");
    await begun(world, plain, "recovery", 16);
    expect(await setUp(world, plain)).toBe("PT403");
    // The link was opened in another session than the one that enters the code.
    const other = await world.plainAdmin();
    await begun(world, other, "otp");
    expect(await setUp(world, plain)).toBe("PT403");
    await world.refused(plain, "FF005", "select public.admin_overview()");
  });

  for (const method of ["otp", "magiclink", "recovery", "invite"]) {
    test(`is set up in a session that a link began: ${method}`, async ({ world }) => {
      const plain = await world.plainAdmin();
      await begun(world, plain, method, 14);
      expect(await setUp(world, plain)).toBe("set up");
      // A further one, and a code at a later sign-in, need no link.
      await world.run("owner", "delete from auth.mfa_amr_claims where session_id = $1", [plain]);
      expect(await setUp(world, plain)).toBe("set up");
    });
  }

  test("is a security key by the same rule", async ({ world }) => {
    const plain = await world.plainAdmin();
    await begun(world, plain, "password");
    expect(await setUp(world, plain, "webauthn")).toBe("PT403");
    await begun(world, plain, "recovery");
    expect(await setUp(world, plain, "webauthn")).toBe("set up");
  });

  test("is free to members, who may become administrators with it", async ({ world }) => {
    const ada = await world.member();
    expect(await setUp(world, ada)).toBe("set up");
    await world.run("owner", "select private.make_admin($1)", [ada]);
    world.verify(ada);
    await world.run(ada, "select public.admin_overview()");
  });

  test("is set up once in the session that replaced the one-time password", async ({ world }) => {
    const admin = await appointed(world);
    await choosePassword(world, admin);
    expect(await stateOf(world, admin)).toBe("first_factor_due");
    expect(await setUp(world, admin)).toBe("set up");
    // Removed, as a recovery code does: the command's word was for once.
    await world.run("owner", "delete from auth.mfa_factors where user_id = $1", [admin]);
    expect(await stateOf(world, admin)).toBe("first_factor_link_due");
    expect(await setUp(world, admin)).toBe("PT403");
  });

  test("is not set up in a later session, nor a day later", async ({ world }) => {
    const admin = await appointed(world);
    await choosePassword(world, admin);
    const age =
      "update auth.sessions set created_at = now() + $2 * interval '1 minute' where id = $1";
    await world.run("owner", age, [admin, 1]);
    expect(await setUp(world, admin)).toBe("PT403");
    await world.run("owner", age, [admin, -1]);
    const promoted =
      "update private.pending_admins set promoted_at = promoted_at - interval '1 day' where user_id = $1";
    await world.run("owner", promoted, [admin]);
    expect(await setUp(world, admin)).toBe("PT403");
  });

  test("needs a link for whom the console appointed, and a new appointment begins anew", async ({
    world,
  }) => {
    const admin = await appointed(world);
    await choosePassword(world, admin);
    await world.run("owner", "select private.appoint_admin($1, now() + interval '1 day')", [admin]);
    expect(await stateOf(world, admin)).toBe("live");
    const role = "select role from public.profiles where id = $1";
    expect(await world.one("owner", role, [admin])).toEqual({ role: "student" });
    await world.run("owner", "select private.make_admin($1)", [admin]);
    expect(await stateOf(world, admin)).toBe("first_factor_link_due");
  });
});
