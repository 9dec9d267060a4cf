import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { toLevelRequirements } from "../../web/src/domain/level-requirements.ts";
import { specifiedRequirements } from "../../web/src/domain/testing/specified-requirements.ts";
import {
  recordProgressEvent,
  recordProgressEvents,
  expectLevel,
  levelOf,
  userProgressOf,
} from "./progress-events.ts";
import { connectTestOwner, test, untilBlocked, type World } from "./world.ts";

/** Meets all requirements of a level but one progress event. @returns a function that records it. */
type AllButOne = (world: World, user: string) => Promise<() => Promise<boolean>>;

const categories = { 2: "general", 3: "business", 4: "wealth" } as const;

/** All of level 1 except one progress event of this kind. */
function firstLevelBut(last: "room_opened" | "submission" | "message"): AllButOne {
  const needed = { room_opened: 5, submission: 3, message: 50 };
  return async (world, user) => {
    for (const [kind, count] of Object.entries(needed)) {
      await recordProgressEvents(world, user, kind, kind === last ? count - 1 : count);
    }
    return async () => await recordProgressEvent(world, user, last, "the last one");
  };
}

/** All of a later level except one progress event. Engagements count from level 1 on. */
function laterLevelBut(
  level: 2 | 3 | 4,
  last: "article_read" | "course_completed" | "message",
): AllButOne {
  const category = categories[level];
  const before = { 2: 50, 3: 150, 4: 350 }[level];
  const engagements = { 2: 150, 3: 350, 4: 550 }[level];
  return async (world, user) => {
    const but = (kind: string, count: number) => (kind === last ? count - 1 : count);
    await recordProgressEvents(world, user, "article_read", but("article_read", 25), category);
    await recordProgressEvents(
      world,
      user,
      "course_completed",
      but("course_completed", 5),
      category,
    );
    await recordProgressEvents(
      world,
      user,
      "message",
      but("message", engagements - before),
      null,
      10_000 * level,
    );
    const shelf = last === "message" ? null : category;
    return async () =>
      await recordProgressEvent(world, user, last, `the last one of ${level}`, shelf);
  };
}

/** Brings a new member to a level by recording progress events. */
async function memberAt(world: World, level: 1 | 2 | 3 | 4): Promise<string> {
  const user = await world.member();
  if (level > 1) await (await firstLevelBut("message")(world, user))();
  if (level > 2) await (await laterLevelBut(2, "message")(world, user))();
  if (level > 3) await (await laterLevelBut(3, "message")(world, user))();
  return user;
}

describe("a level", () => {
  test.for([
    [1, "room_opened", firstLevelBut("room_opened")],
    [1, "submission", firstLevelBut("submission")],
    [1, "message", firstLevelBut("message")],
    [2, "article_read", laterLevelBut(2, "article_read")],
    [2, "course_completed", laterLevelBut(2, "course_completed")],
    [2, "message", laterLevelBut(2, "message")],
    [3, "article_read", laterLevelBut(3, "article_read")],
    [3, "course_completed", laterLevelBut(3, "course_completed")],
    [3, "message", laterLevelBut(3, "message")],
  ] as const)(
    "%i is completed by the last %s, not by the one before",
    async ([level, , prepare], { world }) => {
      const user = await memberAt(world, level);
      await expectLevel(world, user, level);
      const recordLastEvent = await prepare(world, user);
      await expectLevel(world, user, level);
      expect(await recordLastEvent()).toBe(true);
      await expectLevel(world, user, level + 1);
      expect((await levelOf(world, user))["completed"]).toHaveLength(level);
      const completedAt = (await userProgressOf(world, user))["level_completed_at"];
      expect(completedAt).toBeInstanceOf(Date);
      expect(await recordLastEvent()).toBe(false);
      await recordProgressEvents(world, user, "like", 3);
      await expectLevel(world, user, level + 1);
      expect((await userProgressOf(world, user))["level_completed_at"]).toEqual(completedAt);
    },
  );

  test.for(["article_read", "course_completed", "message"] as const)(
    "4 is completed by the last %s, once, and there is no level 5",
    async (last, { world }) => {
      const user = await memberAt(world, 4);
      const recordLastEvent = await laterLevelBut(4, last)(world, user);
      expect(await levelOf(world, user)).toMatchObject({ level: 4, completed: [1, 2, 3] });
      const set = "update public.user_progress set level_completed_at = $2 where user_id = $1";
      await world.run("owner", set, [user, null]);
      await recordLastEvent();
      await expectLevel(world, user, 4);
      expect(await levelOf(world, user)).toMatchObject({ completed: [1, 2, 3, 4] });
      expect((await userProgressOf(world, user))["level_completed_at"]).toBeInstanceOf(Date);
      const finishedAt = new Date("2026-01-01T00:00:00Z");
      await world.run("owner", set, [user, finishedAt]);
      await recordProgressEvents(world, user, "message", 5, null, 90_000);
      expect((await userProgressOf(world, user))["level_completed_at"]).toEqual(finishedAt);
      expect((await levelOf(world, user))["completed"]).toEqual([1, 2, 3, 4]);
    },
  );

  test("is raised twice by one progress event when the next level's requirements are already met", async ({
    world,
  }) => {
    const user = await world.member();
    await (
      await laterLevelBut(2, "article_read")(world, user)
    )();
    await recordProgressEvents(world, user, "message", 150);
    await recordProgressEvents(world, user, "room_opened", 5);
    await recordProgressEvents(world, user, "submission", 2);
    await expectLevel(world, user, 1);
    await recordProgressEvents(world, user, "submission", 1, null, 3);
    await expectLevel(world, user, 3);
    expect((await levelOf(world, user))["completed"]).toEqual([1, 2]);
  });

  test("requires articles and courses of its own category", async ({ world }) => {
    const user = await memberAt(world, 2);
    await recordProgressEvents(world, user, "message", 100, null, 5000);
    await recordProgressEvents(world, user, "article_read", 25, "business");
    await recordProgressEvents(world, user, "course_completed", 5, "general");
    await expectLevel(world, user, 2);
    await recordProgressEvents(world, user, "article_read", 25, "general");
    await expectLevel(world, user, 3);
  });

  test("that was set directly is the starting point, also before the first progress event", async ({
    world,
  }) => {
    const user = await world.member();
    const set = "update public.user_levels set current_level = $2 where user_id = $1";
    await world.run("owner", set, [user, 3]);
    await recordProgressEvent(world, user, "message", "first");
    expect(await levelOf(world, user)).toMatchObject({ level: 3, mirrored: 3, completed: null });
    await world.run("owner", set, [user, 2]);
    expect(await levelOf(world, user)).toMatchObject({ level: 2, mirrored: 2 });
  });

  test("can be reached by an account without a row of user_levels", async ({ world }) => {
    const admin = await world.admin();
    await (
      await firstLevelBut("message")(world, admin)
    )();
    await expectLevel(world, admin, 2);
  });
});

describe("two last progress events at the same instant", () => {
  test("raise the level once, and none of them is lost", async () => {
    const racer = randomUUID();
    const [setup, first, second] = [
      await connectTestOwner(),
      await connectTestOwner(),
      await connectTestOwner(),
    ];
    try {
      await setup.query("insert into auth.users (id, email) values ($1, $2)", [
        racer,
        `${racer}@example.test`,
      ]);
      const record = "select private.record_progress_event($1, $2, $3)";
      for (const [kind, count] of [
        ["room_opened", 5],
        ["submission", 2],
        ["message", 49],
      ] as const) {
        await setup.query(
          "select private.record_progress_event($1, $2, n::text) from generate_series(1, $3::int) n",
          [racer, kind, count],
        );
      }
      await first.query("begin");
      await first.query(record, [racer, "submission", "last"]);
      const pid = (await second.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0];
      const later = second.query(record, [racer, "message", "last"]);
      await untilBlocked(setup, pid?.pid ?? 0);
      await first.query("commit");
      await later;
      const { rows } = await setup.query(
        `select g.current_level, g.learning_submissions, g.message_engagements,
           (select count(*)::int from public.level_completions c where c.user_id = g.user_id) as completions
         from public.user_progress g where g.user_id = $1`,
        [racer],
      );
      expect(rows).toEqual([
        { current_level: 2, learning_submissions: 3, message_engagements: 50, completions: 1 },
      ]);
      await setup.query("delete from auth.users where id = $1", [racer]);
    } finally {
      await Promise.all([setup.end(), first.end(), second.end()]);
    }
  });
});

describe("counters", () => {
  test("count a progress event once, however often it is repeated", async ({ world }) => {
    const user = await world.member();
    for (const kind of ["room_opened", "submission", "message", "like"]) {
      expect(await recordProgressEvent(world, user, kind, "x")).toBe(true);
      expect(await recordProgressEvent(world, user, kind, "x")).toBe(false);
    }
    for (const kind of ["article_read", "course_completed"]) {
      expect(await recordProgressEvent(world, user, kind, "x", "wealth")).toBe(true);
      expect(await recordProgressEvent(world, user, kind, "x", "wealth")).toBe(false);
    }
    expect(await userProgressOf(world, user)).toMatchObject({
      chat_rooms_opened: ["x"],
      learning_submissions: 1,
      message_engagements: 2,
      articles_read_by_category: { general: [], business: [], wealth: ["x"] },
      courses_completed_by_category: { general: [], business: [], wealth: ["x"] },
    });
  });

  test("of rooms stop at five, and the ledger records all", async ({ world }) => {
    const user = await world.member();
    await recordProgressEvents(world, user, "room_opened", 7);
    expect((await userProgressOf(world, user))["chat_rooms_opened"]).toEqual(
      [1, 2, 3, 4, 5].map((n) => `room_opened ${n}`),
    );
    const sql = "select count(*)::int as events from private.progress_ledger where user_id = $1";
    expect(await world.one("owner", sql, [user])).toEqual({ events: 7 });
  });

  test("have the time of their change, not of the transaction", async ({ world }) => {
    const user = await world.member();
    await recordProgressEvent(world, user, "like", "1");
    const stamp = `select updated_at > now() as later from public.user_progress where user_id = $1`;
    expect(await world.one("owner", stamp, [user])).toEqual({ later: true });
  });

  test("do not change when a client sends values", async ({ world }) => {
    const user = await world.member();
    await recordProgressEvents(world, user, "message", 49);
    await recordProgressEvents(world, user, "room_opened", 5);
    await recordProgressEvents(world, user, "submission", 2);
    const forged = `update public.user_progress set learning_submissions = 3, message_engagements = 9999, current_level = 4`;
    expect(await world.count(user, forged)).toBe(1);
    await recordProgressEvent(world, user, "like", "fifty");
    await expectLevel(world, user, 1);
    expect(await userProgressOf(world, user)).toMatchObject({
      learning_submissions: 2,
      message_engagements: 50,
    });
  });
});

describe("recording progress", () => {
  const calls = [
    "select private.record_progress_event(auth.uid(), 'message', 'x')",
    "select private.raise_level(auth.uid())",
    "select * from private.progress_ledger",
    "select * from private.engagement_histogram",
    "insert into public.level_completions (user_id, level) values (auth.uid(), 4)",
    "update public.level_completions set level = 4",
    "delete from public.level_completions",
    "update public.level_requirements set needed = 1",
    "insert into public.level_requirements (level, kind, needed) values (1, 'rooms', 1)",
    "delete from public.level_requirements",
  ];

  test("is possible for triggers only", async ({ world }) => {
    for (const actor of [await world.member(), await world.admin(), "anon"]) {
      for (const call of calls) await world.refused(actor, "42501", call);
    }
    for (const call of calls.slice(0, 4)) await world.refused("service_role", "42501", call);
  });

  test("leaves the requirements readable for signed-in accounts", async ({ world }) => {
    const sql =
      "select level, kind, category, needed from public.level_requirements order by level, kind";
    const rows = await world.run(await world.account(), sql);
    expect(rows).toEqual([
      { level: 1, kind: "engagements", category: null, needed: 50 },
      { level: 1, kind: "rooms", category: null, needed: 5 },
      { level: 1, kind: "submissions", category: null, needed: 3 },
      ...([2, 3, 4] as const).flatMap((level) => [
        { level, kind: "articles", category: categories[level], needed: 25 },
        { level, kind: "courses", category: categories[level], needed: 5 },
        { level, kind: "engagements", category: null, needed: { 2: 150, 3: 350, 4: 550 }[level] },
      ]),
    ]);
    await world.refused("anon", "42501", sql);
    expect(toLevelRequirements(rows)).toEqual(specifiedRequirements);
  });

  test("leaves completions readable for their own member only", async ({ world }) => {
    const [user, other] = [await memberAt(world, 2), await world.member()];
    const sql = "select user_id, level, completed_at from public.level_completions";
    expect(await world.run(user, sql)).toMatchObject([{ user_id: user, level: 1 }]);
    expect(await world.run(other, sql)).toEqual([]);
    await world.refused("anon", "42501", sql);
  });

  test("both tables of a level are published to the member who watches them", async ({ world }) => {
    const sql = "select tablename from pg_publication_tables where pubname = 'supabase_realtime'";
    const tables = (await world.run("owner", sql)).map((row) => row["tablename"]);
    expect(tables).toEqual(expect.arrayContaining(["user_levels", "user_progress"]));
  });
});
