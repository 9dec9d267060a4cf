import { describe, expect } from "vitest";
import { article, atLevel, markRead, openArticle, shelf } from "./library-world.ts";
import { test, type World } from "./world.ts";

async function readCount(world: World, id: string): Promise<unknown> {
  const row = await world.one("owner", "select read_count from public.articles where id = $1", [
    id,
  ]);
  return row["read_count"];
}

async function recordProgressEvents(world: World, member: string) {
  return await world.run(
    "owner",
    "select kind, reference, category from private.progress_ledger where user_id = $1 order by id",
    [member],
  );
}

describe("opening an article", () => {
  test("counts once per member and day, whatever count the client sends", async ({ world }) => {
    const id = await article(world, await shelf(world, "general"));
    const [ada, bob] = [await atLevel(world, 2), await atLevel(world, 2)];
    const sent = "update public.articles set read_count = 999 where id = $1 returning read_count";
    expect(await world.one(ada, sent, [id])).toEqual({ read_count: 1 });
    expect(await world.one(ada, sent, [id])).toEqual({ read_count: 1 });
    expect(await world.one(bob, sent, [id])).toEqual({ read_count: 2 });
    await world.run(
      "owner",
      "update public.article_opens set last_opened_on = last_opened_on - 1 where user_id = $1",
      [ada],
    );
    expect(await world.one(ada, sent, [id])).toEqual({ read_count: 3 });
    expect(await world.one(ada, sent, [id])).toEqual({ read_count: 3 });
  });

  test("changes nothing else, and no other column may be sent", async ({ world }) => {
    const place = await shelf(world, "general");
    const id = await article(world, place);
    const member = await atLevel(world, 2);
    const row = async () =>
      await world.one(
        "owner",
        "select to_jsonb(a) - 'read_count' as a from public.articles a where id = $1",
        [id],
      );
    const before = await row();
    await openArticle(world, member, id);
    expect(await row()).toEqual(before);
    for (const column of [
      "title = 'Mine'",
      "content = ''",
      "is_featured = true",
      "author_id = null",
    ]) {
      await world.refused(
        member,
        "42501",
        `update public.articles set ${column} where id = '${id}'`,
      );
    }
    await world.refused(member, "42501", `delete from public.articles where id = '${id}'`);
    const insert = `insert into public.articles (subcategory_id, slug, title) values ('${place}', 'x', 'x')`;
    await world.refused(member, "42501", insert);
  });

  test("is refused for several articles in one statement", async ({ world }) => {
    const place = await shelf(world, "general");
    const ids = [await article(world, place), await article(world, place)];
    const member = await atLevel(world, 2);
    const all = "update public.articles set read_count = 1 where id = any ($1)";
    await world.refused(member, "FF402", all, [ids]);
    for (const id of ids) expect(await readCount(world, id)).toBe(0);
    const opens = "select * from public.article_opens where user_id = $1";
    expect(await world.run(member, opens, [member])).toEqual([]);
    expect(await world.count("owner", all, [ids])).toBe(2);
  });
});

describe("marking an article as read", () => {
  test("needs an opened article, and happens once", async ({ world }) => {
    const id = await article(world, await shelf(world, "business"));
    const member = await atLevel(world, 3);
    await expect(markRead(world, member, id)).rejects.toMatchObject({ code: "FF403" });
    await openArticle(world, member, id);
    await markRead(world, member, id);
    await expect(markRead(world, member, id)).rejects.toMatchObject({ code: "23505" });
    const again = `insert into public.article_reads (user_id, article_id) values ($1, $2)
      on conflict (user_id, article_id) do nothing`;
    expect(await world.count(member, again, [member, id])).toBe(0);
    expect(await recordProgressEvents(world, member)).toEqual([
      { kind: "article_read", reference: id, category: "business" },
    ]);
    const progress = await world.one(member, "select * from public.user_progress");
    expect(progress["articles_read_by_category"]).toMatchObject({ general: [], business: [id] });
  });

  test("of one's own is possible, and counts for no level", async ({ world }) => {
    const author = await atLevel(world, 2);
    const id = await article(world, await shelf(world, "general"), { author_id: author });
    const reader = await atLevel(world, 2);
    for (const member of [author, reader]) {
      await openArticle(world, member, id);
      await markRead(world, member, id);
    }
    const reads = "select from public.article_reads where article_id = $1";
    expect(await world.count(author, reads, [id])).toBe(1);
    expect(await recordProgressEvents(world, author)).toEqual([]);
    expect(await recordProgressEvents(world, reader)).toEqual([
      { kind: "article_read", reference: id, category: "general" },
    ]);
  });

  test("does not accept a time from the client, and needs one opening on any earlier day", async ({
    world,
  }) => {
    const id = await article(world, await shelf(world, "general"));
    const member = await atLevel(world, 2);
    await openArticle(world, member, id);
    await world.run("owner", "update public.article_opens set last_opened_on = '2020-01-01'");
    const dated =
      "insert into public.article_reads (user_id, article_id, created_at) values ($1, $2, now())";
    await world.refused(member, "42501", dated, [member, id]);
    await markRead(world, member, id);
  });

  test("is rate limited, and a refused one does not count", async ({ world }) => {
    const place = await shelf(world, "general");
    const member = await atLevel(world, 2);
    expect(
      await world.one(
        "owner",
        "select max_count, period::text from private.rate_limits where action = 'article_read'",
      ),
    ).toEqual({ max_count: 30, period: "00:01:00" });
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'article_read'",
    );
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const id = await article(world, place);
      ids.push(id);
      await openArticle(world, member, id);
    }
    await markRead(world, member, ids[0] ?? "");
    await expect(markRead(world, member, ids[0] ?? "")).rejects.toMatchObject({ code: "23505" });
    await markRead(world, member, ids[1] ?? "");
    await expect(markRead(world, member, ids[2] ?? "")).rejects.toMatchObject({ code: "FF300" });
    expect(await recordProgressEvents(world, member)).toHaveLength(2);
  });

  test("gives the same error for missing and for closed articles", async ({ world }) => {
    const member = await atLevel(world, 4);
    const nowhere = "00000000-0000-4000-8000-000000000000";
    await expect(markRead(world, member, nowhere)).rejects.toMatchObject({ code: "FF401" });
  });

  test("stays when the article is unpublished or deleted", async ({ world }) => {
    const id = await article(world, await shelf(world, "general"));
    const member = await atLevel(world, 2);
    await openArticle(world, member, id);
    await markRead(world, member, id);
    await world.run("owner", "update public.articles set is_published = false where id = $1", [id]);
    expect(await world.run(member, "select * from public.article_reads")).toHaveLength(1);
    await world.run("owner", "delete from public.articles where id = $1", [id]);
    expect(await recordProgressEvents(world, member)).toHaveLength(1);
    for (const table of ["article_opens", "article_reads"]) {
      const left = `select * from public.${table} where article_id = $1`;
      expect(await world.run("owner", left, [id]), table).toEqual([]);
    }
    const progress = await world.one(member, "select * from public.user_progress");
    expect(progress["articles_read_by_category"]).toMatchObject({ general: [id] });
  });
});
