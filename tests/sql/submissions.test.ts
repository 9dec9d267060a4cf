import { describe, expect } from "vitest";
import { userProgressOf } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

/** Inserts a submission as the app does. */
async function share(world: World, user: string, more: Row = {}): Promise<Row> {
  const row = { user_id: user, submission_type: "success", title: "Ten clients", content: "How." };
  return await world.insert(user, "learning_submissions", { ...row, ...more });
}

const insert = `insert into public.learning_submissions (user_id, submission_type, title, content)
  values ($1, 'success', $2, $3)`;
const like =
  "insert into public.learning_submission_likes (user_id, submission_id) values ($1, $2)";
const unlike = "delete from public.learning_submission_likes where submission_id = $1";
const comment =
  "insert into public.learning_submission_comments (user_id, submission_id, content) values ($1, $2, $3)";

async function counts(world: World, submission: unknown): Promise<Row> {
  const sql = "select like_count, comment_count from public.learning_submissions where id = $1";
  return await world.one("owner", sql, [submission]);
}

describe("a submission", () => {
  test("is stored trimmed, with its author and default values", async ({ world }) => {
    const user = await world.member();
    const row = await share(world, user, { title: "  Ten clients\n", content: "\u00a0How.\t " });
    expect(row).toMatchObject({
      user_id: user,
      title: "Ten clients",
      content: "How.",
      image_url: null,
      is_featured: false,
      like_count: 0,
      comment_count: 0,
    });
    expect(Date.now() - Number(row["created_at"])).toBeLessThan(600_000);
  });

  test.for(["pact", "progress_report", "before_after", "failure", "success"])(
    "may be a %s",
    async (submission_type, { world }) => {
      const row = await share(world, await world.member(), { submission_type });
      expect(row).toMatchObject({ submission_type });
    },
  );

  test("needs a known type, a title up to 150 and a text up to 10,000 characters", async ({
    world,
  }) => {
    const user = await world.member();
    await world.run(user, insert, [user, "é".repeat(150), "x".repeat(10_000)]);
    await world.refused(user, "23514", insert, [user, "x".repeat(151), "x"]);
    await world.refused(user, "23514", insert, [user, "x", "x".repeat(10_001)]);
    for (const blank of ["", "  \n ", "\u200b\u200d", "\u3000"]) {
      await world.refused(user, "FF330", insert, [user, blank, "x"]);
      await world.refused(user, "FF330", insert, [user, "x", blank]);
    }
    await world.refused(user, "23514", insert.replace("'success'", "'boast'"), [user, "x", "x"]);
    await world.refused("owner", "23514", insert, [user, "", "x"]);
    await world.refused("owner", "23514", insert, [user, "x", ""]);
    for (const count of ["like_count", "comment_count"]) {
      const below = `update public.learning_submissions set ${count} = -1 where user_id = $1`;
      await world.refused("owner", "23514", below, [user]);
    }
    for (const missing of [
      [null, "x", "x"],
      [user, null, "x"],
      [user, "x", null],
    ]) {
      await world.refused("owner", "23502", insert, missing);
    }
  });

  test.for(["is_featured", "like_count", "comment_count", "created_at"])(
    "cannot be sent with a %s",
    async (column, { world }) => {
      const user = await world.member();
      const sql = `insert into public.learning_submissions (user_id, submission_type, title, content, ${column})
        values ($1, 'success', 'x', 'x', default)`;
      await world.refused(user, "42501", sql, [user]);
    },
  );

  test("may have an id chosen by the client, so that sending again creates no duplicate", async ({
    world,
  }) => {
    const user = await world.member();
    const { id } = await world.one("owner", "select gen_random_uuid() as id");
    await share(world, user, { id });
    const again = `insert into public.learning_submissions (id, user_id, submission_type, title, content)
      values ($1, $2, 'success', 'x', 'x')`;
    await world.refused(user, "23505", again, [id, user]);
  });

  test("can be inserted by members as themselves only", async ({ world }) => {
    const [user, victim, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    await world.refused(user, "42501", insert, [victim, "x", "x"]);
    await world.refused(newcomer, "42501", insert, [newcomer, "x", "x"]);
    await world.refused("anon", "42501", insert, [user, "x", "x"]);
    await world.setSubscriptionStatus(user, "past_due");
    await world.refused(user, "42501", insert, [user, "x", "x"]);
    await share(world, await world.admin());
  });

  test("can be read by members, and by its author after the membership lapsed", async ({
    world,
  }) => {
    const [author, reader, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    const { id } = await share(world, author);
    const read = `select id, user_id, submission_type, title, content, image_url, is_featured, like_count,
      comment_count, created_at from public.learning_submissions where id = $1`;
    expect(await world.run(reader, read, [id])).toHaveLength(1);
    expect(await world.run(await world.admin(), read, [id])).toHaveLength(1);
    expect(await world.run(newcomer, read, [id])).toEqual([]);
    await world.refused("anon", "42501", read, [id]);
    for (const user of [author, reader]) await world.setSubscriptionStatus(user, "canceled");
    expect(await world.run(author, read, [id])).toHaveLength(1);
    expect(await world.run(reader, read, [id])).toEqual([]);
  });

  test("cannot be edited, and is deleted through delete_submission only", async ({ world }) => {
    const user = await world.member();
    await share(world, user);
    for (const actor of [user, await world.admin(), "anon"]) {
      await world.refused(
        actor,
        "42501",
        "update public.learning_submissions set like_count = 9999",
      );
      await world.refused(
        actor,
        "42501",
        "update public.learning_submissions set is_featured = true",
      );
      await world.refused(actor, "42501", "delete from public.learning_submissions");
    }
  });

  test("is a progress event, once, and stays one when it is deleted", async ({ world }) => {
    const user = await world.member();
    const { id } = await share(world, user);
    expect(await userProgressOf(world, user)).toMatchObject({ learning_submissions: 1 });
    await world.run(user, "select public.delete_submission($1)", [id]);
    expect(await userProgressOf(world, user)).toMatchObject({ learning_submissions: 1 });
  });

  test("is limited to ten an hour", async ({ world }) => {
    const user = await world.member();
    for (let n = 0; n < 10; n += 1) await share(world, user);
    await world.refused(user, "FF300", insert, [user, "x", "x"]);
    await world.run("owner", insert, [user, "x", "x"]);
  });

  test("is deleted with its author, together with likes and comments", async ({ world }) => {
    const [author, reader] = [await world.member(), await world.member()];
    const { id } = await share(world, author);
    const { id: kept } = await share(world, reader);
    await world.run(reader, like, [reader, id]);
    await world.run(reader, comment, [reader, id, "Well done"]);
    await world.run(author, like, [author, kept]);
    await world.run(author, comment, [author, kept, "You too"]);
    await world.run("owner", "delete from auth.users where id = $1", [author]);
    expect(await counts(world, kept)).toEqual({ like_count: 0, comment_count: 0 });
    for (const table of ["learning_submission_likes", "learning_submission_comments"]) {
      const left = `select from public.${table} where submission_id = any ($1)`;
      expect(await world.run("owner", left, [[id, kept]])).toEqual([]);
    }
  });

  test("is published through realtime", async ({ world }) => {
    const sql = "select tablename from pg_publication_tables where pubname = 'supabase_realtime'";
    expect(await world.run("owner", sql)).toContainEqual({ tablename: "learning_submissions" });
  });
});

describe("likes", () => {
  test("are one per member, can be removed, and are counted", async ({ world }) => {
    const [author, reader] = [await world.member(), await world.member()];
    const { id } = await share(world, author);
    await world.run(reader, like, [reader, id]);
    await world.run(author, like, [author, id]);
    expect(await counts(world, id)).toMatchObject({ like_count: 2 });
    await world.refused(reader, "23505", like, [reader, id]);
    const mine = "select user_id, submission_id, created_at from public.learning_submission_likes";
    expect(await world.run(reader, mine)).toMatchObject([{ user_id: reader, submission_id: id }]);
    expect(await world.count(reader, unlike, [id])).toBe(1);
    expect(await world.count(reader, unlike, [id])).toBe(0);
    expect(await counts(world, id)).toMatchObject({ like_count: 1 });
  });

  test("are counted correctly when one statement holds several", async ({ world }) => {
    const user = await world.member();
    const ids = [await share(world, user), await share(world, user)].map((row) => row["id"]);
    const all =
      "insert into public.learning_submission_likes (user_id, submission_id) select $1, unnest($2::uuid[])";
    expect(await world.count(user, all, [user, ids])).toBe(2);
    for (const id of ids) expect(await counts(world, id)).toMatchObject({ like_count: 1 });
    expect(await world.count(user, "delete from public.learning_submission_likes")).toBe(2);
    for (const id of ids) expect(await counts(world, id)).toMatchObject({ like_count: 0 });
  });

  test("can be inserted by members as themselves, for existing submissions, and never edited", async ({
    world,
  }) => {
    const [user, victim, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    const { id } = await share(world, victim);
    await world.refused(user, "42501", like, [victim, id]);
    await world.refused(newcomer, "42501", like, [newcomer, id]);
    await world.refused("anon", "42501", like, [user, id]);
    await world.refused(user, "23503", like, [user, user]);
    await world.refused(
      user,
      "42501",
      "update public.learning_submission_likes set user_id = user_id",
    );
    const dated = `insert into public.learning_submission_likes (user_id, submission_id, created_at) values ($1, $2, default)`;
    await world.refused(user, "42501", dated, [user, id]);
    await world.run(victim, like, [victim, id]);
    // Without a condition no column is read, so that only the delete privilege and policy are checked.
    expect(await world.count(user, "delete from public.learning_submission_likes")).toBe(0);
    await world.refused("anon", "42501", unlike, [id]);
    await world.refused("anon", "42501", "select * from public.learning_submission_likes");
    expect(await counts(world, id)).toMatchObject({ like_count: 1 });
  });

  test("are rate limited", async ({ world }) => {
    const user = await world.member();
    const { id } = await share(world, user);
    await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'like'");
    await world.run(user, like, [user, id]);
    await world.run(user, unlike, [id]);
    await world.refused(user, "FF300", like, [user, id]);
    await world.run("owner", like, [user, id]);
  });
});

describe("comments", () => {
  test("are stored trimmed, counted, and read by members", async ({ world }) => {
    const [author, reader, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    const { id } = await share(world, author);
    const row = await world.insert(reader, "learning_submission_comments", {
      user_id: reader,
      submission_id: id,
      content: "  Well done \n",
    });
    expect(row).toMatchObject({ user_id: reader, submission_id: id, content: "Well done" });
    expect(await counts(world, id)).toMatchObject({ comment_count: 1 });
    const read =
      "select id, user_id, submission_id, content, created_at from public.learning_submission_comments where submission_id = $1";
    expect(await world.run(author, read, [id])).toHaveLength(1);
    expect(await world.run(newcomer, read, [id])).toEqual([]);
    await world.refused("anon", "42501", read, [id]);
    for (const user of [author, reader]) await world.setSubscriptionStatus(user, "canceled");
    expect(await world.run(reader, read, [id])).toHaveLength(1);
    expect(await world.run(author, read, [id])).toEqual([]);
  });

  test("need a text up to 2,000 characters, an author and a submission", async ({ world }) => {
    const user = await world.member();
    const { id } = await share(world, user);
    const { id: mine } = await world.one("owner", "select gen_random_uuid() as id");
    const withId = comment.replace("(user_id", "(id, user_id").replace("($1", "($4, $1");
    await world.run(user, withId, [user, id, "x".repeat(2000), mine]);
    await world.refused(user, "23505", withId, [user, id, "x", mine]);
    await world.refused(user, "23514", comment, [user, id, "x".repeat(2001)]);
    await world.refused(user, "FF330", comment, [user, id, " \u200b "]);
    await world.refused("owner", "23514", comment, [user, id, ""]);
    await world.refused(user, "23503", comment, [user, user, "x"]);
    await world.refused("owner", "23503", comment, [String(id), id, "x"]);
  });

  test("can be inserted by members as themselves, and never edited", async ({ world }) => {
    const [user, victim, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    const { id } = await share(world, victim);
    await world.refused(user, "42501", comment, [victim, id, "x"]);
    await world.refused(newcomer, "42501", comment, [newcomer, id, "x"]);
    await world.refused("anon", "42501", comment, [user, id, "x"]);
    for (const actor of [user, "anon"]) {
      await world.refused(
        actor,
        "42501",
        "update public.learning_submission_comments set content = 'x'",
      );
      await world.refused(actor, "42501", "delete from public.learning_submission_comments");
    }
    const dated = comment
      .replace("content)", "content, created_at)")
      .replace("$3)", "$3, default)");
    await world.refused(user, "42501", dated, [user, id, "x"]);
  });

  test("are limited to 30 a minute", async ({ world }) => {
    const user = await world.member();
    const { id } = await share(world, user);
    for (let n = 0; n < 30; n += 1) await world.run(user, comment, [user, id, "x"]);
    await world.refused(user, "FF300", comment, [user, id, "x"]);
    await world.run("owner", comment, [user, id, "x"]);
    expect(await counts(world, id)).toMatchObject({ comment_count: 31 });
  });
});
