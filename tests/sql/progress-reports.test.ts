import { describe, expect } from "vitest";
import { recordProgressEvents, settleHistogram } from "./progress-events.ts";
import { test, type World } from "./world.ts";

const rankSql =
  "select engagements, percentile::float8 as percentile, members, label from public.engagement_rank()";

/** Replaces all members' engagements: how many members have how many. */
async function community(world: World, counts: Readonly<Record<number, number>>): Promise<void> {
  await settleHistogram(world);
  await world.run("owner", "delete from private.engagement_histogram");
  for (const [engagements, members] of Object.entries(counts)) {
    await world.run(
      "owner",
      "insert into private.engagement_histogram values (private.engagement_bucket($1::int), $2)",
      [Number(engagements), members],
    );
  }
}

/** A member with this many engagements, whom `community` has to include. */
async function memberWith(world: World, engagements: number): Promise<string> {
  const user = await world.member();
  await world.insert(user, "user_progress", { user_id: user });
  const set = "update public.user_progress set message_engagements = $2 where user_id = $1";
  await world.run("owner", set, [user, engagements]);
  return user;
}

describe("the engagement rank", () => {
  // The caller is one of 100 members, so each member is exactly one per cent.
  test.for([
    [99, 99, "Top 5% Elite"],
    [95, 95, "Top 5% Elite"],
    [94, 94, "Top 10% Engager"],
    [90, 90, "Top 10% Engager"],
    [89, 89, "Top 25% Active"],
    [75, 75, "Top 25% Active"],
    [74, 74, "Above Average"],
    [50, 50, "Above Average"],
    [49, 49, "Active Member"],
    [25, 25, "Active Member"],
    [24, 24, "Getting Started"],
    [0, 0, "Getting Started"],
  ] as const)(
    "of a member above %i of 100, the member included: percentile %i, %s",
    async ([below, percentile, label], { world }) => {
      const user = await memberWith(world, 10);
      await community(world, { 3: below, 10: 1, 20: 99 - below });
      expect(await world.one(user, rankSql)).toEqual({
        engagements: 10,
        percentile,
        members: 100,
        label,
      });
    },
  );

  test("of a member without engagements is New Member, however many others have none", async ({
    world,
  }) => {
    const user = await memberWith(world, 0);
    await community(world, { 0: 100, 1: 1 });
    expect(await world.one(user, rankSql)).toEqual({
      engagements: 0,
      percentile: 0,
      members: 101,
      label: "New Member",
    });
  });

  test("is truncated, so that the percentage matches its label", async ({ world }) => {
    const user = await memberWith(world, 10);
    await community(world, { 3: 94_999, 10: 1, 20: 5000 });
    expect(await world.one(user, rankSql)).toMatchObject({
      percentile: 94.99,
      label: "Top 10% Engager",
    });
  });

  test("is the same for members with equal counts", async ({ world }) => {
    const user = await memberWith(world, 10);
    await community(world, { 3: 30, 10: 70 });
    expect(await world.one(user, rankSql)).toMatchObject({
      percentile: 30,
      label: "Active Member",
    });
  });

  test("is 0 for the only member and for one without a row", async ({ world }) => {
    const user = await memberWith(world, 10);
    await community(world, { 10: 1 });
    expect(await world.one(user, rankSql)).toMatchObject({
      percentile: 0,
      members: 1,
      label: "Getting Started",
    });
    const newcomer = await world.newcomer();
    expect(await world.one(newcomer, rankSql)).toEqual({
      engagements: 0,
      percentile: 0,
      members: 2,
      label: "New Member",
    });
    await world.refused("anon", "42501", rankSql);
    await world.refused("service_role", "42501", rankSql);
  });

  test("is the exact percentile within a bucket", async ({ world }) => {
    const users = [];
    for (const engagements of [7, 512, 700, 703, 9000])
      users.push(await memberWith(world, engagements));
    await settleHistogram(world);
    for (const user of users) {
      const exact = `select 100.0 * (select count(*) from public.user_progress o where o.message_engagements < m.message_engagements)
          / (select count(*) from public.user_progress) as percentile,
          100.0 * (select count(*) from public.user_progress o
            where private.engagement_bucket(o.message_engagements) = private.engagement_bucket(m.message_engagements))
          / (select count(*) from public.user_progress) as bucket
        from public.user_progress m where user_id = $1`;
      const { percentile, bucket } = await world.one("owner", exact, [user]);
      const rank = await world.one(user, rankSql);
      expect(Number(rank["percentile"])).toBeLessThanOrEqual(Number(percentile));
      expect(Number(rank["percentile"])).toBeGreaterThanOrEqual(
        Number(percentile) - Number(bucket) - 0.01,
      );
    }
  });
});

describe("the history", () => {
  const history =
    "select day::text, rooms, submissions, engagements, articles, courses from public.progress_history($1)";

  /** Inserts a progress event of another day. */
  async function longAgo(
    world: World,
    user: string,
    kind: string,
    days: number,
    category: string | null = null,
  ) {
    await world.run(
      "owner",
      `insert into private.progress_ledger (user_id, kind, reference, category, happened_at)
         values ($1, $2, $3::int || ' days ago', $4,
           date_trunc('day', now(), 'utc') - make_interval(days => $3::int) + interval '1 second')`,
      [user, kind, days, category],
    );
  }

  test("counts the caller's progress events by day, oldest first", async ({ world }) => {
    const [user, other] = [await world.member(), await world.member()];
    await recordProgressEvents(world, other, "message", 4);
    await longAgo(world, user, "message", 2);
    await longAgo(world, user, "like", 2);
    await longAgo(world, user, "room_opened", 2);
    await longAgo(world, user, "submission", 1);
    await longAgo(world, user, "article_read", 1, "general");
    await longAgo(world, user, "course_completed", 1, "general");
    const none = { rooms: 0, submissions: 0, engagements: 0, articles: 0, courses: 0 };
    const rows = await world.run(user, history, [3]);
    expect(rows).toMatchObject([
      { ...none, rooms: 1, engagements: 2 },
      { ...none, submissions: 1, articles: 1, courses: 1 },
    ]);
    expect(Date.parse(String(rows[1]?.["day"])) - Date.parse(String(rows[0]?.["day"]))).toBe(
      86_400_000,
    );
    expect(await world.run(user, history, [2])).toHaveLength(1);
    await world.refused("anon", "42501", history, [3]);
    await world.refused("service_role", "42501", history, [3]);
  });

  test("covers 90 days by default and at most 366", async ({ world }) => {
    const user = await world.member();
    for (const days of [0, 89, 90, 365, 366]) await longAgo(world, user, "like", days);
    expect(await world.run(user, "select * from public.progress_history()")).toHaveLength(2);
    expect(await world.run(user, history, [null])).toHaveLength(2);
    expect(await world.run(user, history, [9999])).toHaveLength(4);
    expect(await world.run(user, history, [-5])).toHaveLength(1);
  });
});

describe("the evidence", () => {
  const evidence =
    "select id::int, kind, category, reference, label, path from public.progress_evidence($1, $2, $3, $4)";

  test("behind submissions names them, newest first, page by page", async ({ world }) => {
    const user = await world.member();
    for (const title of ["First", "Second", "Third"]) {
      await world.insert(user, "learning_submissions", {
        user_id: user,
        submission_type: "success",
        title,
        content: "It worked.",
      });
    }
    const all = await world.run(user, evidence, ["submissions", null, null, 30]);
    expect(all.map((row) => row["label"])).toEqual(["Third", "Second", "First"]);
    expect(all[0]).toMatchObject({
      kind: "submission",
      category: null,
      path: "/learning/submissions",
    });
    const page = await world.run(user, evidence, ["submissions", null, all[0]?.["id"], 1]);
    expect(page).toEqual([all[1]]);
    const named = "select * from public.progress_evidence(kind => 'submissions')";
    expect(await world.run(user, named)).toHaveLength(3);
    await world.run(user, "select public.delete_submission($1)", [all[0]?.["reference"]]);
    const [gone] = await world.run(user, evidence, ["submissions", null, null, 1]);
    expect(gone).toMatchObject({ reference: all[0]?.["reference"], label: null, path: null });
  });

  test("shows no message of others from an inactive room or one above the caller's level", async ({
    world,
  }) => {
    const [user, other] = [await world.member(), await world.member()];
    const [said] = await world.run(
      other,
      "insert into public.chat_messages (user_id, chat_room_id, content) values ($1, 'general', 'Psst') returning id",
      [other],
    );
    const like = "insert into public.message_likes (user_id, message_id) values ($1, $2)";
    await world.run(user, like, [user, said?.["id"]]);
    const label = async () =>
      (await world.run(user, evidence, ["engagements", null, null, 1])).map((row) => row["label"]);
    expect(await label()).toEqual(["Psst"]);
    for (const shut of ["is_active = false", "is_active = true, min_level_required = 2"]) {
      await world.run("owner", `update public.chat_rooms set ${shut} where id = 'general'`);
      expect(await label()).toEqual([null]);
    }
  });

  test("is the caller's own, of a known kind, at most 100 at once", async ({ world }) => {
    const [user, other] = [await world.member(), await world.member()];
    await world.run(
      "owner",
      "select private.record_progress_event($1, 'like', gen_random_uuid()::text) from generate_series(1, 101)",
      [user],
    );
    expect(await world.run(other, evidence, ["engagements", null, null, 30])).toEqual([]);
    expect(await world.run(user, evidence, ["engagements", null, null, 999])).toHaveLength(100);
    expect(await world.run(user, evidence, ["engagements", null, null, null])).toHaveLength(30);
    expect(await world.run(user, evidence, ["engagements", null, null, 0])).toHaveLength(1);
    await world.refused(user, "FF301", evidence, ["like", null, null, 30]);
    await world.refused(user, "FF301", evidence, [null, null, null, 30]);
    for (const actor of ["anon", "service_role"]) {
      await world.refused(actor, "42501", evidence, ["rooms", null, null, 30]);
    }
  });
});
