import { describe, expect } from "vitest";
import { test, upsertStatement, type World } from "./world.ts";

async function profileOf(world: World, id: string) {
  return await world.one("owner", "select * from public.profiles where id = $1", [id]);
}

const forgedTime = "2001-01-01T00:00:00.000Z";

describe("a profile at sign-up", () => {
  test("is inserted by its owner as a student who has not onboarded", async ({ world }) => {
    const id = await world.account();
    const row = await world.insert(id, "profiles", {
      id,
      role: "student",
      onboarding_complete: false,
    });
    expect(row).toMatchObject({ id, role: "student", onboarding_complete: false });
  });

  test("gets the role student when the client sends admin", async ({ world }) => {
    const id = await world.account();
    const forged = { id, role: "admin", onboarding_complete: true, updated_at: forgedTime };
    const row = await world.insert(id, "profiles", forged);
    expect(row).toMatchObject({ role: "student", onboarding_complete: false });
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
  });

  test("gets the role mentor when the mentor plan is already paid", async ({ world }) => {
    const id = await world.account();
    await world.subscribe(id, "mentor-access");
    expect(await world.insert(id, "profiles", { id, role: "student" })).toMatchObject({
      role: "mentor",
    });
  });

  test("cannot be inserted for another account, with or without a profile", async ({ world }) => {
    const [mallory, other] = [await world.newcomer(), await world.account()];
    const victim = await world.member();
    const before = await profileOf(world, victim);
    const insert = "insert into public.profiles (id) values ($1)";
    await world.refused(mallory, "42501", insert, [other]);
    const forged = { id: victim, first_name: "Owned" };
    await world.refused(mallory, "42501", ...upsertStatement("profiles", forged, "id"));
    expect(await profileOf(world, victim)).toEqual(before);
  });

  test("cannot be inserted by a visitor", async ({ world }) => {
    const id = await world.account();
    await world.refused("anon", "42501", "insert into public.profiles (id) values ($1)", [id]);
  });
});

describe("a profile being edited", () => {
  test("takes names, occupation and bio repeatedly", async ({ world }) => {
    const id = await world.newcomer();
    for (const first_name of ["Ada", "Augusta"]) {
      const sent = { id, first_name, last_name: "Byron", occupation: "Engineer", bio: "Hello" };
      expect(await world.upsert(id, "profiles", sent, "id")).toMatchObject(sent);
    }
    const edit = "update public.profiles set occupation = 'Poet', updated_at = $2 where id = $1";
    expect(await world.count(id, edit, [id, forgedTime])).toBe(1);
    const row = await profileOf(world, id);
    expect(row).toMatchObject({ occupation: "Poet", role: "student" });
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
  });

  test("keeps its role in an update and an upsert", async ({ world }) => {
    const id = await world.member();
    await world.run(id, "update public.profiles set role = 'admin' where id = $1", [id]);
    await world.upsert(id, "profiles", { id, role: "admin", onboarding_complete: true }, "id");
    expect(await profileOf(world, id)).toMatchObject({ role: "student" });
  });

  test("keeps the role mentor when the wizard sends student again", async ({ world }) => {
    const id = await world.member("mentor-access");
    const sent = { id, role: "student", onboarding_complete: false, first_name: "Grace" };
    const row = await world.upsert(id, "profiles", sent, "id");
    expect(row).toMatchObject({ role: "mentor", onboarding_complete: true, first_name: "Grace" });
  });

  test("changes no other account's row", async ({ world }) => {
    const [mallory, victim] = [await world.member(), await world.member()];
    const before = await profileOf(world, victim);
    const edit = "update public.profiles set first_name = 'Owned' where id = $1";
    expect(await world.count(mallory, edit, [victim])).toBe(0);
    const steal = "update public.profiles set id = $1";
    await world.refused(mallory, "42501", steal, [await world.account()]);
    expect(await world.count(mallory, "update public.profiles set bio = 'Owned'")).toBe(1);
    await world.refused("anon", "42501", edit, [victim]);
    expect(await profileOf(world, victim)).toEqual(before);
  });

  test("cannot be deleted through the API", async ({ world }) => {
    const id = await world.newcomer();
    await world.refused(id, "42501", "delete from public.profiles where id = $1", [id]);
  });

  test.for([
    ["first_name", "x".repeat(100), "x".repeat(101)],
    ["last_name", "x".repeat(100), "x".repeat(101)],
    ["occupation", "x".repeat(150), "x".repeat(151)],
    ["bio", "x".repeat(2000), "x".repeat(2001)],
    ["first_name", "Zoë", "two\nlines"],
    ["last_name", "O’Neill", "bell\u0007"],
    ["occupation", "Site manager", "tab\t"],
  ] as const)("limits %s", async ([column, good, bad], { world }) => {
    const id = await world.newcomer();
    const edit = `update public.profiles set ${column} = $2 where id = $1`;
    expect(await world.count(id, edit, [id, good])).toBe(1);
    const isUnreadable = column.endsWith("_name") && bad.length < 100;
    await world.refused(id, isUnreadable ? "FF104" : "23514", edit, [id, bad]);
  });
});

describe("who reads profiles", () => {
  const all = "select * from public.profiles where id = any($1)";

  test("a newcomer reads all columns of their own row and no other row", async ({ world }) => {
    const [newcomer, member] = [await world.newcomer(), await world.member()];
    const rows = await world.run(newcomer, all, [[newcomer, member]]);
    expect(rows.map((row) => row["id"])).toEqual([newcomer]);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      "id",
      "role",
      "onboarding_complete",
      "first_name",
      "last_name",
      "occupation",
      "bio",
      "updated_at",
      "avatar_url",
    ]);
  });

  test("a member reads other members and administrators, but no newcomers", async ({ world }) => {
    const [member, other, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    const admin = await world.admin();
    const rows = await world.run(member, all, [[member, other, newcomer, admin]]);
    expect(rows.map((row) => String(row["id"])).toSorted()).toEqual(
      [member, other, admin].toSorted(),
    );
  });

  test.for(["past_due", "canceled", "unpaid", "incomplete", "paused"])(
    "a member whose subscription is %s reads only their own row",
    async (status, { world }) => {
      const [member, other] = [await world.member(), await world.member()];
      await world.setSubscriptionStatus(member, status);
      expect(await world.run(member, all, [[member, other]])).toHaveLength(1);
      await world.setSubscriptionStatus(member, "trialing");
      expect(await world.run(member, all, [[member, other]])).toHaveLength(2);
    },
  );

  test("a paying account that has not onboarded reads only its own row", async ({ world }) => {
    const [newcomer, member] = [await world.newcomer(), await world.member()];
    await world.subscribe(newcomer);
    expect(await world.run(newcomer, all, [[member]])).toEqual([]);
  });

  test("an administrator reads all rows", async ({ world }) => {
    const [newcomer, member] = [await world.newcomer(), await world.member()];
    expect(await world.run(await world.admin(), all, [[newcomer, member]])).toHaveLength(2);
  });

  test("a visitor reads nothing", async ({ world }) => {
    const member = await world.member();
    await world.refused("anon", "42501", all, [[member]]);
    await world.refused("anon", "42501", "select first_name from public.profiles");
  });
});
