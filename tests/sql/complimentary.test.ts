import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const grant = "select public.admin_grant_complimentary($1, $2, $3, $4) as id";
const revoke = "select public.admin_revoke_complimentary($1, $2)";
const list = "select * from public.admin_complimentary_memberships()";
const isLive = "select private.has_live_membership($1) as live, private.plan_role($1) as role";

const emailOf = (account: string) => `${account}@example.test`;

async function give(
  world: World,
  admin: string,
  member: string,
  plan = "mentor-access",
  until: string | null = null,
): Promise<string> {
  return String(
    (await world.one(admin, grant, [emailOf(member), plan, until, "Guest speaker"]))["id"],
  );
}

async function roleOf(world: World, member: string): Promise<unknown> {
  return (await world.one("owner", "select role from public.profiles where id = $1", [member]))[
    "role"
  ];
}

describe("a complimentary membership", () => {
  test("gives access and the plan's role until it is revoked, and both stand in the audit log", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const id = await give(world, admin, ada);
    expect(await world.one("owner", isLive, [ada])).toEqual({ live: true, role: "mentor" });
    expect(await roleOf(world, ada)).toBe("mentor");
    await world.run(admin, revoke, [id, "The talk is over"]);
    expect(await world.one("owner", isLive, [ada])).toEqual({ live: false, role: "student" });
    expect(await roleOf(world, ada)).toBe("student");
    const log = await world.run(
      "owner",
      "select actor, action, detail from private.audit_log where subject = $1 order by id",
      [ada],
    );
    expect(log).toMatchObject([
      {
        actor: admin,
        action: "membership.complimentary_granted",
        detail: { before: null, after: { id, plan: "mentor-access" }, reason: "Guest speaker" },
      },
      {
        actor: admin,
        action: "membership.complimentary_revoked",
        detail: { before: { id, plan: "mentor-access" }, after: null, reason: "The talk is over" },
      },
    ]);
    await world.refused(admin, "FF246", revoke, [id, "Again"]);
  });

  test("ends by the clock at once, and takes its role with the next reconciliation", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const id = await give(world, admin, ada, "mentor-access", "2099-01-01T00:00:00Z");
    await world.run("service_role", "select public.end_complimentary_memberships()");
    expect(await roleOf(world, ada)).toBe("mentor");
    await world.run(
      "owner",
      "update public.complimentary_memberships set ends_at = now() - interval '1 second' where id = $1",
      [id],
    );
    expect(await world.one("owner", isLive, [ada])).toEqual({ live: false, role: "student" });
    await world.run("service_role", "select public.end_complimentary_memberships()");
    expect(await roleOf(world, ada)).toBe("student");
    // A new one can follow.
    await give(world, admin, ada, "student-access");
    expect(await world.one("owner", isLive, [ada])).toEqual({ live: true, role: "student" });
  });

  test("leaves a paid plan as it is, and the better of the two gives the role", async ({
    world,
  }) => {
    const admin = await world.admin();
    const mentor = await world.member("mentor-access");
    const id = await give(world, admin, mentor, "student-access");
    expect(await roleOf(world, mentor)).toBe("mentor");
    await world.run(admin, revoke, [id, "No longer needed"]);
    expect(await world.one("owner", isLive, [mentor])).toEqual({ live: true, role: "mentor" });
  });

  test("counts neither as paying nor as revenue, and administrators count as neither", async ({
    world,
  }) => {
    const admin = await world.admin();
    const figures = "select public.admin_overview() -> 'members' as members";
    const before = await world.one(admin, figures);
    const ada = await world.newcomer();
    await give(world, admin, ada);
    // An administrator with a subscription and a finished onboarding, such as the demo's.
    const second = await world.member("mentor-access");
    await world.run("owner", "select private.make_admin($1)", [second]);
    expect(await world.one(admin, figures)).toEqual(before);
  });

  test("is refused without an account, reason, plan or future end, twice, and for administrators", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const email = emailOf(ada);
    const second = await world.plainAdmin();
    for (const [code, values] of [
      ["FF240", [email, "student-access", null, "  "]],
      ["FF240", [email, "student-access", null, "x".repeat(501)]],
      ["FF241", ["nobody@example.test", "student-access", null, "why"]],
      ["FF242", [emailOf(second), "student-access", null, "why"]],
      ["FF243", [email, "gold", null, "why"]],
      ["FF244", [email, "student-access", "2020-01-01T00:00:00Z", "why"]],
      ["FF244", [email, "student-access", "infinity", "why"]],
      ["FF244", [email, "student-access", "294276-12-31", "why"]],
    ] as const) {
      await world.refused(admin, code, grant, values);
    }
    await give(world, admin, ada);
    await world.refused(admin, "FF245", grant, [email, "student-access", null, "why"]);
  });

  test("is given, revoked and listed by administrators with a second factor only", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const id = await give(world, admin, ada);
    const callers = [
      ["anon", "42501"],
      [await world.member(), "FF002"],
      [await world.member("mentor-access"), "FF002"],
      [await world.plainAdmin(), "FF005"],
    ] as const;
    for (const [caller, code] of callers) {
      await world.refused(caller, code, grant, [emailOf(ada), "mentor-access", null, "mine"]);
      await world.refused(caller, code, revoke, [id, "mine"]);
      await world.refused(caller, code, list);
    }
    expect(await world.one("owner", isLive, [ada])).toMatchObject({ live: true });
  });

  test("is read by its member without the reason, by no other member, and written by none", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const id = await give(world, admin, ada);
    const own = "select id, plan_id, ends_at, ended_at from public.complimentary_memberships";
    expect(await world.run(ada, own)).toEqual([
      { id, plan_id: "mentor-access", ends_at: null, ended_at: null },
    ]);
    expect(await world.run(await world.member(), own)).toEqual([]);
    await world.refused("anon", "42501", own);
    await world.refused(ada, "42501", "select reason from public.complimentary_memberships");
    const forged = { user_id: ada, plan_id: "mentor-access", reason: "mine" };
    await world.refused(
      ada,
      "42501",
      "insert into public.complimentary_memberships (user_id, plan_id, reason) values ($1, $2, $3)",
      Object.values(forged),
    );
    await world.refused(ada, "42501", "update public.complimentary_memberships set ends_at = null");
    await world.refused(ada, "42501", "delete from public.complimentary_memberships");
  });
});
