import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { raise } from "./chat-world.ts";
import {
  closePostSql,
  findPosts,
  makePost,
  newMember,
  reportDirectSql,
  textReportOf,
  reportPostSql,
  savePostSql,
  write,
} from "./direct-world.ts";
import { newMark } from "./people-world.ts";
import { reportQueue, reportQueueSql, resolveReportSql } from "./report-world.ts";
import { test, type Row } from "./world.ts";

const ids = (posts: readonly Row[]) => posts.map(({ id }) => id);
const mineSql = "select public.my_collaboration_posts() as post";

describe("a post", () => {
  test("is found by other members, by words, kind, topic and level, page by page", async ({
    world,
  }) => {
    const [ada, tom] = [await newMember(world), await newMember(world, "Tom")];
    await raise(world, tom, 2);
    const mark = newMark();
    const request = await makePost(world, ada, {
      title: `A bookkeeper ${mark}`,
      topics: ["Tax returns"],
    });
    const offer = await makePost(world, tom, {
      kind: "offer",
      title: `Logos ${mark}`,
      details: "For a fair price.",
    });
    const reader = await world.member();
    expect(ids(await findPosts(world, reader, { search: mark }))).toEqual([offer, request]);
    expect(ids(await findPosts(world, reader, { search: `bokkeeper ${mark}` }))).toEqual([request]);
    expect(ids(await findPosts(world, reader, { search: mark, kind: "offer" }))).toEqual([offer]);
    expect(ids(await findPosts(world, reader, { search: mark, level: 2 }))).toEqual([offer]);
    expect(ids(await findPosts(world, reader, { search: mark, topic: "tax returns" }))).toEqual([
      request,
    ]);
    expect(ids(await findPosts(world, reader, { search: mark, page_size: 1 }))).toEqual([offer]);
    expect(ids(await findPosts(world, reader, { search: mark, after_id: offer }))).toEqual([
      request,
    ]);
    expect(await findPosts(world, reader, { after_id: randomUUID() })).toEqual([]);
    // One's own are in a list of their own.
    expect(ids(await findPosts(world, ada, { search: mark }))).toEqual([offer]);
    expect((await world.one(ada, mineSql))["post"]).toMatchObject({ id: request, is_open: true });
    const [first] = await findPosts(world, reader, { search: mark });
    expect(first).toMatchObject({ author: { id: tom, level: 2 }, details: "For a fair price." });
    expect(await findPosts(world, reader, { search: `${mark} `.repeat(10) })).toEqual([]);
    expect(await findPosts(world, reader, { topic: "x".repeat(41) })).toEqual([]);
    for (const filter of [{ kind: "gift" }, { level: 9 }]) {
      await world.refused(
        reader,
        "FF705",
        `select public.collaboration_page(${Object.keys(filter)[0]} => $1)`,
        Object.values(filter),
      );
    }
  });

  test("is hidden once closed, after 60 days, by a block, a lapse and a suspension", async ({
    world,
  }) => {
    const reader = await world.member();
    const mark = newMark();
    const authors: string[] = [];
    const posts: string[] = [];
    const [older, oldest] = [
      await makePost(world, await world.member(), { title: "Older" }),
      await makePost(world, await world.member(), { title: "Older" }),
    ];
    for (const [days, post] of [
      [2, older],
      [3, oldest],
    ] as const) {
      await world.run(
        "owner",
        "update private.collaboration_posts set created_at = now() - $2 * interval '1 day' where id = $1",
        [post, days],
      );
    }
    for (let each = 0; each < 6; each += 1) {
      const author = await world.member();
      authors.push(author);
      posts.push(await makePost(world, author, { title: mark }));
    }
    const [closing = "", ageing = "", blocking = "", blocked = "", lapsing = ""] = authors;
    expect(await findPosts(world, reader, { search: mark })).toHaveLength(6);
    const after = async (member: string, post = "") =>
      (await findPosts(world, member, { after_id: post })).map(({ id }) => id);
    for (const post of posts) expect(await after(reader, post)).toContain(older);
    await world.run(closing, closePostSql, [posts[0]]);
    await world.run(
      "owner",
      "update private.collaboration_posts set created_at = now() - interval '61 days' where id = $1",
      [posts[1]],
    );
    await world.run(blocking, "select public.block_member($1)", [reader]);
    await world.run(reader, "select public.block_member($1)", [blocked]);
    await world.setSubscriptionStatus(lapsing, "canceled");
    await world.run("owner", "update auth.users set banned_until = 'infinity' where id = $1", [
      authors[5],
    ]);
    expect(await findPosts(world, reader, { search: mark })).toEqual([]);
    // Nor does a page go on after a post of a member whom the reader does not find.
    for (const at of [2, 3, 4, 5]) expect(await after(reader, posts[at])).toEqual([]);
    expect(await after(closing, posts[0])).toContain(older);
    expect(await after(reader, posts[0])).toContain(older);
    expect(await after(reader, older)).toContain(oldest);
    expect((await world.one(ageing, mineSql))["post"]).toMatchObject({ is_open: false });
    for (const [author, post] of [
      [closing, posts[0]],
      [ageing, posts[1]],
    ] as const) {
      await world.refused(author, "FF832", savePostSql, [post, "offer", "Again", "Text", []]);
    }
    // Of a member whom one has blocked oneself a post can still be reported.
    for (const post of posts.toSpliced(3, 1)) {
      await world.refused(reader, "FF833", reportPostSql, [post, "Spam"]);
    }
  });

  test("is its author's to change and to close, and is made once", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const id = await makePost(world, ada, { topics: ["Tax", "tax"] });
    await makePost(world, ada, { id, title: "A bookkeeper in York", topics: ["Tax"] });
    expect(await world.run(ada, mineSql)).toMatchObject([
      { post: { id, title: "A bookkeeper in York", topics: ["Tax"] } },
    ]);
    await world.refused(tom, "FF832", savePostSql, [id, "offer", "Forged", "Text", []]);
    await world.refused(tom, "FF832", closePostSql, [id]);
    await world.refused(tom, "FF832", closePostSql, [randomUUID()]);
    for (const table of ["select from", "delete from"]) {
      await world.refused(ada, "42501", `${table} private.collaboration_posts`);
    }
    await world.run(ada, closePostSql, [id]);
    await world.run(ada, closePostSql, [id]);
    expect((await world.one(ada, mineSql))["post"]).toMatchObject({ is_open: false });
  });

  test("has a kind, a title and a text of limited length, five at a time, from members", async ({
    world,
  }) => {
    const ada = await world.member();
    for (const [kind, title, text] of [
      ["gift", "Title", "Text"],
      [null, "Title", "Text"],
      ["offer", "\u200b", "Text"],
      ["offer", "Title", "  "],
      ["offer", "x".repeat(81), "Text"],
      ["offer", "Title", "x".repeat(601)],
      ["offer", null, "Text"],
    ]) {
      await world.refused(ada, "FF830", savePostSql, [randomUUID(), kind, title, text, []]);
    }
    await world.refused(ada, "FF830", savePostSql, [null, "offer", "Title", "Text", []]);
    await world.refused(ada, "FF701", savePostSql, [
      randomUUID(),
      "offer",
      "Title",
      "Text",
      ["x".repeat(41)],
    ]);
    for (let each = 0; each < 5; each += 1) await makePost(world, ada);
    const sixth = [randomUUID(), "offer", "Title", "Text", []];
    await world.refused(ada, "FF831", savePostSql, sixth);
    const open = `select public.my_collaboration_posts() ->> 'id' as id limit 1`;
    await world.run(ada, closePostSql, [(await world.one(ada, open))["id"]]);
    await world.run(ada, savePostSql, sixth);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF700", savePostSql, sixth);
    await world.refused(ada, "FF700", mineSql);
    await world.refused(ada, "FF700", "select public.collaboration_page()");
    // What one said can be taken back without a membership.
    await world.run(ada, closePostSql, [sixth[0]]);
  });

  test("counts towards a limit", async ({ world }) => {
    const ada = await world.member();
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'collaboration'",
    );
    await makePost(world, ada);
    await world.refused(ada, "FF300", savePostSql, [randomUUID(), "offer", "Title", "Text", []]);
  });
});

describe("a report of a text", () => {
  test("shows administrators the message and up to five before it, and nothing after", async ({
    world,
  }) => {
    const [eve, bob, outsider] = [
      await newMember(world, "Eve"),
      await world.member(),
      await world.member(),
    ];
    const admin = await world.admin();
    const mark = newMark();
    for (const nth of [1, 2, 3, 4, 5, 6]) await write(world, bob, eve, `Before ${nth}`);
    const { id } = await write(world, eve, bob, mark);
    await write(world, bob, eve, "Afterwards");
    await world.refused(eve, "FF318", reportDirectSql, [id, "Mine"]);
    for (const other of [outsider, admin]) {
      await world.refused(other, "FF316", reportDirectSql, [id, "Spam"]);
    }
    for (const reason of ["", " \u200b", "x".repeat(501), null]) {
      await world.refused(bob, "FF317", reportDirectSql, [id, reason]);
    }
    await world.run(bob, reportDirectSql, [id, "Threatens me"]);
    await world.run(bob, reportDirectSql, [id, "Again"]);
    await world.run(eve, "select public.edit_direct_message($1, $2)", [id, "Nothing"]);
    const report = await textReportOf(world, admin, mark);
    expect(report).toMatchObject({
      kind: "direct_message",
      author: { id: eve },
      reports: 1,
      reasons: ["Threatens me\n\nAgain"],
      is_changed: true,
      // Nothing of the conversation but what the report kept.
      around: null,
    });
    const context = ((report?.["snapshot"] as Row | undefined)?.["context"] ?? []) as Row[];
    expect(context.map(({ content }) => content)).toEqual(
      [2, 3, 4, 5, 6].map((nth) => `Before ${nth}`),
    );
    const audit =
      "select action, detail from private.audit_log where subject = $1 and action like 'direct_message.%'";
    await world.refused(admin, "FF319", resolveReportSql, [report?.["report_id"], "burn"]);
    await world.run(admin, resolveReportSql, [report?.["report_id"], "remove"]);
    await world.refused(admin, "FF320", resolveReportSql, [report?.["report_id"], "keep"]);
    expect(await textReportOf(world, admin, mark)).toBeUndefined();
    const stored =
      "select content, deleted_at is not null as gone from public.direct_messages where id = $1";
    expect(await world.one("owner", stored, [id])).toEqual({ content: "", gone: true });
    // What was copied from around it does not stay.
    const kept =
      "select snapshot, author_id = $2 as is_hers from private.reports where direct_message_id = $1";
    expect(await world.one("owner", kept, [id, eve])).toEqual({ snapshot: {}, is_hers: true });
    expect(await world.run("owner", audit, [eve])).toEqual([
      {
        action: "direct_message.removed",
        detail: { report_id: report?.["report_id"], before: "reported", after: "remove" },
      },
    ]);
  });

  test("keeps or deletes a post", async ({ world }) => {
    const [eve, bob] = [await newMember(world, "Eve"), await world.member()];
    const admin = await world.admin();
    const post = await makePost(world, eve, { title: newMark(), details: "Coins" });
    await world.refused(eve, "FF834", reportPostSql, [post, "Mine"]);
    await world.refused(bob, "FF317", reportPostSql, [post, " "]);
    const [found] = await findPosts(world, bob);
    const content = `${String(found?.["title"])}\n\nCoins`;
    await world.run(bob, reportPostSql, [post, "Spam"]);
    const first = await textReportOf(world, admin, content);
    expect(first).toMatchObject({ kind: "post", is_changed: false });
    expect(first?.["snapshot"]).toEqual({ content });
    await world.run(admin, resolveReportSql, [first?.["report_id"], "keep"]);
    expect(ids(await findPosts(world, bob))).toContain(post);
    const cleo = await world.member();
    await world.run(cleo, reportPostSql, [post, "Spam"]);
    const second = await textReportOf(world, admin, content);
    await world.run(admin, resolveReportSql, [second?.["report_id"], "remove"]);
    expect(ids(await findPosts(world, bob))).not.toContain(post);
    expect(await world.run(eve, mineSql)).toEqual([]);
  });

  test("is taken from a member who blocked the author first, and not from one whom they blocked", async ({
    world,
  }) => {
    const [eve, bob, dan] = [
      await newMember(world, "Eve"),
      await world.member(),
      await world.member(),
    ];
    const admin = await world.admin();
    const [said, title] = [newMark(), newMark()];
    const post = await makePost(world, eve, { title, details: "Coins" });
    const { id } = await write(world, eve, bob, said);
    await world.run(bob, "select public.block_member($1)", [eve]);
    await world.run(eve, "select public.block_member($1)", [dan]);
    await world.run(bob, reportDirectSql, [id, "Threatens me"]);
    await world.run(bob, reportPostSql, [post, "Spam"]);
    expect(await textReportOf(world, admin, said)).toMatchObject({ reasons: ["Threatens me"] });
    expect(await textReportOf(world, admin, `${title}\n\nCoins`)).toMatchObject({ reports: 1 });
    await world.refused(dan, "FF833", reportPostSql, [post, "Spam"]);
    await world.refused(dan, "FF316", reportDirectSql, [id, "Spam"]);
  });

  test("can be made again by the same member once it was decided, and is open once", async ({
    world,
  }) => {
    const [eve, bob] = [await newMember(world, "Eve"), await world.member()];
    const admin = await world.admin();
    const [said, title] = [newMark(), newMark()];
    const post = await makePost(world, eve, { title, details: "Coins" });
    const { id } = await write(world, eve, bob, said);
    for (const [sql, subject, content] of [
      [reportDirectSql, id, said],
      [reportPostSql, post, `${title}\n\nCoins`],
    ] as const) {
      for (const decision of ["keep", "remove"]) {
        for (const reason of ["Spam", "Again"]) await world.run(bob, sql, [subject, reason]);
        const report = await textReportOf(world, admin, content);
        expect(report).toMatchObject({ reports: 1, reasons: ["Spam\n\nAgain"] });
        await world.run(admin, resolveReportSql, [report?.["report_id"], decision]);
      }
    }
    const insert = `insert into private.reports (kind, subject_id, direct_message_id, author_id, user_id, reason, snapshot)
      values ('direct_message', $1, $1, $3, $2, 'Spam', '{}')`;
    await world.run("owner", insert, [id, bob, eve]);
    await world.refused("owner", "23505", insert, [id, bob, eve]);
  });

  test("is read and decided by administrators with a second factor, about others' texts", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const admin = await world.admin();
    const post = await makePost(world, admin, { title: newMark() });
    const { id } = await write(world, admin, bob, newMark());
    await world.run(bob, reportPostSql, [post, "Spam"]);
    await world.run(bob, reportDirectSql, [id, "Spam"]);
    const reports = await reportQueue(world, admin);
    const own = reports.filter((report) => (report["author"] as Row)["id"] === admin);
    expect(own).toHaveLength(2);
    for (const { report_id } of own) {
      await world.refused(admin, "FF513", resolveReportSql, [report_id, "keep"]);
      for (const outsider of [ada, bob]) {
        await world.refused(outsider, "FF002", resolveReportSql, [report_id, "keep"]);
      }
      await world.refused(await world.plainAdmin(), "FF005", resolveReportSql, [report_id, "keep"]);
    }
    await world.refused(bob, "FF002", reportQueueSql, [null]);
    await world.refused(await world.plainAdmin(), "FF005", reportQueueSql, [null]);
    await world.refused(admin, "FF320", resolveReportSql, [0, "keep"]);
  });
});
