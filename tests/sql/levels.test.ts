import { describe, expect } from "vitest";
import { test, upsertStatement } from "./world.ts";

const levelSql = "select public.effective_level() as level";
const forgedTime = "2001-01-01T00:00:00Z";

describe("the first level", () => {
  test("is written by the last onboarding step and is level 1", async ({ world }) => {
    const id = await world.newcomer();
    const row = await world.upsert(id, "user_levels", {
      user_id: id,
      current_level: 1,
      unlocked_levels: [0, 1],
      updated_at: forgedTime,
    });
    expect(row).toMatchObject({ user_id: id, current_level: 1, unlocked_levels: [0, 1] });
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
  });

  test("is level 1 whatever the client sends", async ({ world }) => {
    const id = await world.newcomer();
    const forged = { user_id: id, current_level: 4, unlocked_levels: [0, 1, 2, 3, 4] };
    expect(await world.upsert(id, "user_levels", forged)).toMatchObject({
      current_level: 1,
      unlocked_levels: [0, 1],
    });
  });

  test("does not change when it is written again", async ({ world }) => {
    const id = await world.member();
    await world.run(
      "service_role",
      "update public.user_levels set current_level = 3, unlocked_levels = '{0,1,2,3}' where user_id = $1",
      [id],
    );
    const before = await world.one(id, "select * from public.user_levels");
    for (const current_level of [1, 4]) {
      const sent = { user_id: id, current_level, unlocked_levels: [0, 1], updated_at: forgedTime };
      expect(await world.upsert(id, "user_levels", sent)).toEqual(before);
    }
    const raise = "update public.user_levels set current_level = 4, updated_at = $1";
    expect(await world.count(id, raise, [forgedTime])).toBe(1);
    expect(await world.one(id, "select * from public.user_levels")).toEqual(before);
  });

  test("of another member can be neither read nor written", async ({ world }) => {
    const [victim, mallory] = [await world.member(), await world.member()];
    const read = "select * from public.user_levels where user_id = $1";
    const before = await world.one("owner", read, [victim]);
    expect(await world.run(mallory, read, [victim])).toEqual([]);
    expect(await world.run(await world.admin(), read, [victim])).toEqual([]);
    const lower = "update public.user_levels set unlocked_levels = '{0}' where user_id = $1";
    expect(await world.count(mallory, lower, [victim])).toBe(0);
    expect(await world.count(mallory, "update public.user_levels set current_level = 4")).toBe(1);
    const sent = { user_id: victim, current_level: 4, unlocked_levels: [0] };
    await world.refused(mallory, "42501", ...upsertStatement("user_levels", sent, "user_id"));
    const newcomer = await world.newcomer();
    await world.refused(mallory, "42501", "insert into public.user_levels (user_id) values ($1)", [
      newcomer,
    ]);
    await world.refused("anon", "42501", "select * from public.user_levels");
    await world.refused(victim, "42501", "delete from public.user_levels");
    expect(await world.one("owner", read, [victim])).toEqual(before);
  });

  test("stays between 1 and 4 for the server role as well", async ({ world }) => {
    const id = await world.member();
    const set = (what: string) => `update public.user_levels set ${what} where user_id = '${id}'`;
    await world.refused("service_role", "23514", set("current_level = 5"));
    await world.refused("service_role", "23514", set("current_level = 0"));
    await world.refused("service_role", "23514", set("unlocked_levels = '{5}'"));
    await world.refused("service_role", "23514", set("unlocked_levels = '{1,1,1,1,1,1}'"));
    const stamp = `${set("updated_at = '2001-01-01'")} returning updated_at`;
    const row = await world.one("service_role", stamp);
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
  });
});

describe("progress counters", () => {
  const read = "select * from public.user_progress where user_id = $1";
  const start = "insert into public.user_progress (user_id) values ($1)";

  test("start at zero", async ({ world }) => {
    const id = await world.newcomer();
    const row = await world.insert(id, "user_progress", { user_id: id });
    expect(row).toMatchObject({
      user_id: id,
      current_level: 1,
      chat_rooms_opened: [],
      learning_submissions: 0,
      message_engagements: 0,
      articles_read_by_category: { general: [], business: [], wealth: [] },
      courses_completed_by_category: { general: [], business: [], wealth: [] },
      level_completed_at: null,
    });
    const again = await world.upsert(id, "user_progress", { user_id: id });
    expect(again).toEqual(row);
  });

  test.for([
    "current_level",
    "chat_rooms_opened",
    "learning_submissions",
    "message_engagements",
    "articles_read_by_category",
    "courses_completed_by_category",
    "level_completed_at",
    "updated_at",
  ])("cannot be inserted with a %s", async (column, { world }) => {
    const id = await world.newcomer();
    const sql = `insert into public.user_progress (user_id, ${column}) values ($1, default)`;
    await world.refused(id, "42501", sql, [id]);
  });

  test("accept every value a client sends and do not change", async ({ world }) => {
    const id = await world.newcomer();
    await world.run(id, start, [id]);
    const before = await world.one(id, read, [id]);
    const edit = `update public.user_progress set current_level = 4, chat_rooms_opened = '{a,b,c,d,e}',
      learning_submissions = 3, message_engagements = 9999, level_completed_at = now(), updated_at = $2,
      articles_read_by_category = '{"general": ["x"]}', courses_completed_by_category = '{"wealth": ["x"]}'
      where user_id = $1`;
    expect(await world.count(id, edit, [id, forgedTime])).toBe(1);
    expect(await world.one(id, read, [id])).toEqual(before);
  });

  test("of another member can be neither read nor written", async ({ world }) => {
    const [victim, mallory, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    await world.run(victim, start, [victim]);
    expect(await world.run(mallory, read, [victim])).toEqual([]);
    expect(
      await world.run(mallory, "select message_engagements from public.user_progress"),
    ).toEqual([]);
    const edit = "update public.user_progress set message_engagements = 0 where user_id = $1";
    expect(await world.count(mallory, edit, [victim])).toBe(0);
    const everybody = "update public.user_progress set message_engagements = 0";
    expect(await world.count(mallory, everybody)).toBe(0);
    await world.refused(mallory, "42501", start, [newcomer]);
    await world.refused("anon", "42501", "select * from public.user_progress");
    await world.refused(victim, "42501", "delete from public.user_progress");
  });

  test("are changed by the server within their constraints, with the time", async ({ world }) => {
    const id = await world.newcomer();
    await world.run(id, start, [id]);
    const set = (what: string) => `update public.user_progress set ${what} where user_id = '${id}'`;
    const row = await world.one(
      "service_role",
      `${set("message_engagements = 7, updated_at = '2001-01-01'")} returning *`,
    );
    expect(row).toMatchObject({ message_engagements: 7 });
    expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
    await world.refused("service_role", "23514", set("message_engagements = -1"));
    await world.refused("service_role", "23514", set("learning_submissions = -1"));
    await world.refused("service_role", "23514", set("current_level = 5"));
  });

  test("are published to the member who watches them", async ({ world }) => {
    const sql = "select tablename from pg_publication_tables where pubname = 'supabase_realtime'";
    const rows = await world.run("owner", sql);
    expect(rows).toContainEqual({ tablename: "user_progress" });
  });
});

describe("the effective level", () => {
  test("is 0 before onboarding, also after paying, and 1 afterwards", async ({ world }) => {
    const newcomer = await world.newcomer();
    expect(await world.one(newcomer, levelSql)).toEqual({ level: 0 });
    await world.subscribe(newcomer);
    await world.upsert(newcomer, "user_levels", { user_id: newcomer, current_level: 4 });
    expect(await world.one(newcomer, levelSql)).toEqual({ level: 0 });
    expect(await world.one(await world.account(), levelSql)).toEqual({ level: 0 });
    expect(await world.one(await world.member(), levelSql)).toEqual({ level: 1 });
  });

  test("is 1 for an onboarded member without a row of user_levels", async ({ world }) => {
    const id = await world.member();
    await world.run("owner", "delete from public.user_levels where user_id = $1", [id]);
    expect(await world.one(id, levelSql)).toEqual({ level: 1 });
  });

  test("is the reached level while the membership is live, and 0 otherwise", async ({ world }) => {
    const id = await world.member();
    await world.run("owner", "update public.user_levels set current_level = 3 where user_id = $1", [
      id,
    ]);
    expect(await world.one(id, levelSql)).toEqual({ level: 3 });
    await world.setSubscriptionStatus(id, "past_due");
    expect(await world.one(id, levelSql)).toEqual({ level: 0 });
    await world.setSubscriptionStatus(id, "active");
    expect(await world.one(id, levelSql)).toEqual({ level: 3 });
  });

  test("is 4 for administrators and refused for visitors", async ({ world }) => {
    expect(await world.one(await world.admin(), levelSql)).toEqual({ level: 4 });
    await world.refused("anon", "42501", levelSql);
  });
});
