import { describe, expect } from "vitest";
import { recordProgressEvent, recordProgressEvents, settleHistogram } from "./progress-events.ts";
import { test, type World } from "./world.ts";

const add = (values: string) =>
  `insert into private.progress_ledger (user_id, kind, reference, category) values ($1, ${values})`;

describe("the ledger", () => {
  test("stores a progress event once, with a category for articles and courses", async ({
    world,
  }) => {
    const user = await world.member();
    await world.run("owner", add("'message', 'x', null"), [user]);
    await world.refused("owner", "23505", add("'message', 'x', null"), [user]);
    await world.run("owner", add("'like', 'x', null"), [user]);
    await world.run("owner", add("'article_read', 'x', 'general'"), [user]);
    for (const wrong of [
      "'praise', 'x', null",
      "'message', '', null",
      "'message', repeat('x', 101), null",
      "'message', 'y', 'general'",
      "'article_read', 'y', null",
      "'article_read', 'y', 'cooking'",
    ]) {
      await world.refused("owner", "23514", add(wrong), [user]);
    }
    const unknownUser = "00000000-0000-4000-8000-000000000000";
    await world.refused("owner", "23503", add("'message', 'x', null"), [unknownUser]);
  });

  test("is append-only, and is deleted with its account", async ({ world }) => {
    const user = await world.member();
    await recordProgressEvents(world, user, "message", 3);
    const mine = "from private.progress_ledger where user_id = $1";
    await world.refused("owner", "P0001", `delete ${mine}`, [user]);
    const edit = "update private.progress_ledger set kind = 'like' where user_id = $1";
    await world.refused("owner", "P0001", edit, [user]);
    await world.run("owner", "delete from auth.users where id = $1", [user]);
    expect(await world.run("owner", `select * ${mine}`, [user])).toEqual([]);
  });
});

describe("requirements and completions", () => {
  test("hold valid values only", async ({ world }) => {
    await world.run("owner", "delete from public.level_requirements");
    const row = (values: string) =>
      `insert into public.level_requirements (level, kind, category, needed) values (${values})`;
    await world.run("owner", row("1, 'rooms', null, 5"));
    await world.refused("owner", "23505", row("1, 'rooms', null, 6"));
    for (const wrong of [
      "0, 'rooms', null, 5",
      "5, 'rooms', null, 5",
      "2, 'friends', null, 5",
      "2, 'rooms', null, 0",
      "2, 'rooms', 'general', 5",
      "2, 'articles', null, 5",
      "2, 'articles', 'cooking', 5",
    ]) {
      await world.refused("owner", "23514", row(wrong));
    }
    const user = await world.member();
    const complete = "insert into public.level_completions (user_id, level) values ($1, $2)";
    await world.run("owner", complete, [user, 1]);
    await world.refused("owner", "23505", complete, [user, 1]);
    await world.refused("owner", "23514", complete, [user, 5]);
    await world.run("owner", "delete from auth.users where id = $1", [user]);
    expect(
      await world.run("owner", "select from public.level_completions where user_id = $1", [user]),
    ).toEqual([]);
  });
});

describe("the histogram", () => {
  /** Buckets in which the histogram differs from a count over all members, after the deferred triggers have run. */
  async function disagreements(world: World) {
    await settleHistogram(world);
    return await world.run(
      "owner",
      `select bucket, h.members as kept, c.members as counted
       from (select bucket, members from private.engagement_histogram where members > 0) h
       full join (select private.engagement_bucket(message_engagements) as bucket, count(*)::int as members
         from public.user_progress group by 1) c using (bucket)
       where h.members is distinct from c.members`,
    );
  }

  test("equals a count over all members", async ({ world }) => {
    const [ada, ben, cy] = [await world.member(), await world.member(), await world.member()];
    for (const [user, count] of [
      [ada, 3],
      [ben, 3],
      [cy, 1],
    ] as const) {
      await recordProgressEvents(world, user, "like", count);
    }
    const newcomer = await world.newcomer();
    await world.insert(newcomer, "user_progress", { user_id: newcomer });
    expect(await disagreements(world)).toEqual([]);
    const set = "update public.user_progress set message_engagements = $2 where user_id = $1";
    await world.run("owner", set, [ada, 100_000]);
    await world.run("owner", set, [ben, 0]);
    expect(await disagreements(world)).toEqual([]);
    await world.run("owner", "delete from auth.users where id = $1", [cy]);
    await recordProgressEvent(world, ben, "room_opened", "general");
    expect(await disagreements(world)).toEqual([]);
  });

  test("holds no negative number, and one row per bucket", async ({ world }) => {
    const row = "insert into private.engagement_histogram (bucket, members) values ($1, $2)";
    await world.run("owner", row, [4000, 1]);
    await world.refused("owner", "23505", row, [4000, 1]);
    await world.refused("owner", "23514", row, [4001, -1]);
  });

  test("has one bucket per number up to 512, then wider ones in ascending order", async ({
    world,
  }) => {
    const sql = `select count(distinct b) filter (where n <= 512)::int as narrow, count(distinct b)::int as all,
        bool_and(b >= before) as rising, max(private.engagement_bucket(2147483647)) as last
      from (select n, private.engagement_bucket(n) as b, lag(private.engagement_bucket(n), 1, 0) over (order by n) as before
        from generate_series(0, 5000) n) buckets`;
    expect(await world.one("owner", sql)).toEqual({
      narrow: 513,
      all: 723,
      rising: true,
      last: 1919,
    });
  });
});
