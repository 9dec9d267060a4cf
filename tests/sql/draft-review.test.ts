import { describe, expect } from "vitest";
import { atLevel, enrol, markRead, openArticle, shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftedArticle,
  draftModule,
  draftOf,
  publishDraft,
  returnDraft,
  runDue,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test } from "./world.ts";

const comments = JSON.stringify([{ quote: "first paragraph", comment: "Say why it matters." }]);
const trust = "select public.set_trusted_mentor($1, $2, 'Ten good courses')";

describe("the review of a draft", () => {
  test("goes from draft to the library, once sent back", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const student = await atLevel(world, 2);
    const visible = "select title, content from public.articles where subcategory_id = $1";
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "submitted" });
    await world.refused(mentor, "FF653", saveDraft, [draft, 1, articleFields(place)]);
    await world.run(admin, returnDraft, [draft, 1, comments]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "returned" });
    const read = "select version, quote, comment from public.draft_comments where draft_id = $1";
    expect(await world.run(mentor, read, [draft])).toEqual([
      { version: 1, quote: "first paragraph", comment: "Say why it matters." },
    ]);
    // Reviewers are not named, to nobody.
    const author = "select author_id from public.draft_comments where draft_id = $1";
    for (const actor of [mentor, student, admin]) {
      await world.refused(actor, "42501", author, [draft]);
    }
    expect(await world.run("owner", author, [draft])).toEqual([{ author_id: admin }]);
    expect(await world.run(student, read, [draft])).toEqual([]);
    const better = articleFields(place, { content: "It matters.\n\n## A heading\n\nText." });
    await world.run(mentor, saveDraft, [draft, 1, better]);
    await world.run(mentor, submitDraft, [draft, 2]);
    expect(await world.run(student, visible, [place])).toEqual([]);
    expect(await world.one(admin, publishDraft, [draft, 2])).toEqual({ status: "published" });
    expect(await world.run(student, visible, [place])).toEqual([
      { title: "A Plan for Monday", content: "It matters.\n\n## A heading\n\nText." },
    ]);
    const audit = `select action, detail ->> 'version' as version from private.audit_log
      where actor = $1 and subject = $2 order by id`;
    expect(await world.run("owner", audit, [admin, mentor])).toEqual([
      { action: "draft.returned", version: "1" },
      { action: "draft.published", version: "2" },
    ]);
  });

  test("is decided by administrators only", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    await world.refused(admin, "FF653", publishDraft, [draft, 1]);
    await world.run(mentor, submitDraft, [draft, 1]);
    for (const actor of [mentor, await world.member("mentor-access"), await world.member()]) {
      await world.refused(actor, "FF002", publishDraft, [draft, 1]);
      await world.refused(actor, "FF002", returnDraft, [draft, 1, comments]);
      await world.refused(actor, "FF002", trust, [mentor, true]);
    }
    await world.refused(await world.member(), "FF650", submitDraft, [draft, 1]);
    await world.refused("anon", "42501", publishDraft, [draft, 1]);
    await world.refused(admin, "FF652", publishDraft, [draft, 2]);
    for (const none of ["[]", "{}", null]) {
      await world.refused(admin, "FF656", returnDraft, [draft, 1, none]);
    }
    await world.refused(admin, "23514", returnDraft, [
      draft,
      1,
      JSON.stringify([{ comment: " " }]),
    ]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "submitted" });
  });

  test("is spared trusted mentors, except for what the console withdrew", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const may = "select public.may_publish_draft($1) as may";
    const mayPublish = async (actor: string) => (await world.one(actor, may, [draft]))["may"];
    await world.refused(await world.plainAdmin(), "FF005", trust, [mentor, true]);
    await world.refused(admin, "FF657", trust, [await world.member(), true]);
    const unexplained = "select public.set_trusted_mentor($1, true, ' ')";
    await world.refused(admin, "FF511", unexplained, [mentor]);
    expect(await mayPublish(mentor)).toBe(false);
    await world.run(admin, trust, [mentor, true]);
    const entry = `select actor, detail ->> 'reason' as reason from private.audit_log
      where subject = $1 and action = 'mentor.trusted'`;
    expect(await world.run("owner", entry, [mentor])).toEqual([
      { actor: admin, reason: "Ten good courses" },
    ]);
    const panel = "select public.member_detail($1) -> 'account' -> 'is_trusted' as trusted";
    expect(await world.one(admin, panel, [mentor])).toEqual({ trusted: true });
    expect(await mayPublish(mentor)).toBe(true);
    // An administrator publishes without a review, and submits no draft of another.
    expect(await mayPublish(admin)).toBe(false);
    expect(await mayPublish(await world.member("mentor-access"))).toBe(false);
    await world.refused("anon", "42501", may, [draft]);
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "published" });
    const { article_id: article } = await draftOf(world, draft);
    await world.run(
      admin,
      "select public.edit_content_item('articles', $1, is_published => false)",
      [article],
    );
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { content: "Again." })]);
    expect(await mayPublish(mentor)).toBe(false);
    expect(await world.one(mentor, submitDraft, [draft, 2])).toEqual({ status: "submitted" });
    await world.run(mentor, "select public.recall_draft($1, 2)", [draft]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "withdrawn" });
    // What was scheduled in trust waits for a review once it is gone, with its time as a wish.
    const trusted = await createDraft(
      world,
      mentor,
      "article",
      articleFields(place, { slug: "t" }),
    );
    const later = "select public.submit_draft($1, 1, now() + interval '1 day') as status";
    expect(await world.one(mentor, later, [trusted])).toEqual({ status: "scheduled" });
    await world.run(admin, trust, [mentor, false]);
    expect(await draftOf(world, trusted)).toMatchObject({
      status: "submitted",
      publish_at: expect.any(Date) as Date,
    });
    const next = await createDraft(
      world,
      mentor,
      "article",
      articleFields(place, { slug: "next" }),
    );
    expect(await world.one(mentor, submitDraft, [next, 1])).toEqual({ status: "submitted" });
  });

  test("is not spared trusted mentors after an administrator's withdrawal in the studio", async ({
    world,
  }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const withdraw = "select public.withdraw_draft($1, 1)";
    await world.run(admin, trust, [mentor, true]);
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "published" });
    // What the mentor withdrew comes back at the mentor's word.
    await world.run(mentor, withdraw, [draft]);
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "published" });
    await world.run(await world.admin(), withdraw, [draft]);
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "submitted" });
    const { article_id: article } = await draftOf(world, draft);
    const open = "select is_published from public.articles where id = $1";
    expect(await world.one("owner", open, [article])).toEqual({ is_published: false });
    await world.run(admin, publishDraft, [draft, 1]);
    expect(await world.one("owner", open, [article])).toEqual({ is_published: true });
    // A course likewise.
    const course = await createDraft(world, mentor, "course", courseFields(place));
    expect(await world.one(mentor, submitDraft, [course, 1])).toEqual({ status: "published" });
    await world.run(admin, withdraw, [course]);
    expect(await world.one(mentor, submitDraft, [course, 1])).toEqual({ status: "submitted" });
  });

  test("of a change leaves what members read, and their reads", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    await world.refused(mentor, "FF653", submitDraft, [draft, 1]);
    const article = String((await draftOf(world, draft))["article_id"]);
    const student = await atLevel(world, 2);
    await openArticle(world, student, article);
    await markRead(world, student, article);
    const text = "select content, author_id from public.articles where id = $1";
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { content: "New." })]);
    await world.run(mentor, submitDraft, [draft, 2]);
    expect(await world.one(student, text, [article])).toMatchObject({
      content: expect.stringContaining("The first paragraph.") as string,
    });
    await world.run(admin, publishDraft, [draft, 2]);
    expect(await world.one(student, text, [article])).toEqual({
      content: "New.",
      author_id: mentor,
    });
    const reads = "select from public.article_reads where user_id = $1 and article_id = $2";
    expect(await world.count(student, reads, [student, article])).toBe(1);
    // Its address and its place stay.
    await world.run(mentor, saveDraft, [draft, 2, articleFields(place, { slug: "moved" })]);
    await world.refused(mentor, "FF654", submitDraft, [draft, 3]);
  });

  test("ends with a withdrawal, which hides the work and keeps it", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    const withdraw = "select public.withdraw_draft($1, 1)";
    const archive = "select public.archive_draft($1, 1, $2)";
    await world.refused(mentor, "FF653", withdraw, [draft]);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    await world.refused(mentor, "FF653", archive, [draft, true]);
    await world.run(mentor, withdraw, [draft]);
    const article = "select id from public.articles where id = $1";
    const { article_id: id } = await draftOf(world, draft);
    expect(await world.run(await atLevel(world, 2), article, [id])).toEqual([]);
    // The mentor is at level 1 and reads it all the same.
    expect(await world.run(mentor, article, [id])).toHaveLength(1);
    await world.run(mentor, archive, [draft, true]);
    await world.refused(mentor, "FF653", submitDraft, [draft, 1]);
    await world.run(mentor, archive, [draft, false]);
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "submitted" });
  });

  test("is ended for another only by an administrator with a second factor, on record", async ({
    world,
  }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    const plain = await world.plainAdmin();
    const recall = "select public.recall_draft($1, 1)";
    const archive = "select public.archive_draft($1, 1, $2)";
    const entries = async () =>
      await world.run(
        "owner",
        `select actor, action, detail ->> 'version' as version,
          detail -> 'before' ->> 'status' as was, detail -> 'after' ->> 'status' as is
        from private.audit_log where subject = $1 order by id`,
        [mentor],
      );
    // A mentor's own acts are nobody else's business.
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(mentor, recall, [draft]);
    await world.run(mentor, archive, [draft, true]);
    await world.run(mentor, archive, [draft, false]);
    expect(await entries()).toEqual([]);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.refused(plain, "FF651", recall, [draft]);
    await world.run(admin, recall, [draft]);
    await world.refused(plain, "FF651", archive, [draft, true]);
    await world.run(admin, archive, [draft, true]);
    await world.refused(plain, "FF651", archive, [draft, false]);
    await world.run(admin, archive, [draft, false]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "draft" });
    const act = { actor: admin, version: "1" };
    expect(await entries()).toEqual([
      { ...act, action: "draft.recalled", was: "submitted", is: "draft" },
      { ...act, action: "draft.archived", was: "draft", is: "archived" },
      { ...act, action: "draft.unarchived", was: "archived", is: "draft" },
    ]);
    // What an administrator approved stays scheduled, too.
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, "select public.publish_draft($1, 1, now() + interval '1 day')", [draft]);
    await world.refused(plain, "FF651", recall, [draft]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "scheduled" });
    await world.refused(plain, "FF650", "select public.create_draft('article')");
    // Administrators have drafts of their own as any mentor, but none without a second factor.
    const own = await createDraft(
      world,
      admin,
      "article",
      articleFields(await shelf(world, "general")),
    );
    await world.run(admin, archive, [own, true]);
    expect(await draftOf(world, own)).toMatchObject({ status: "archived" });
  });

  test("publishes at its time, and sends back what no longer fits", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const rival = await createDraft(world, mentor, "article", articleFields(place));
    const later = "select public.publish_draft($1, 1, now() + interval '1 day') as status";
    for (const one of [draft, rival]) {
      for (const time of ["now() + interval '2 years'", "now()", "now() - interval '1 minute'"]) {
        await world.refused(mentor, "FF655", `select public.submit_draft($1, 1, ${time})`, [one]);
      }
      await world.run(mentor, submitDraft, [one, 1]);
      for (const time of ["now() + interval '2 years'", "now()", "now() - interval '1 minute'"]) {
        await world.refused(admin, "FF655", `select public.publish_draft($1, 1, ${time})`, [one]);
      }
      expect(await world.one(admin, later, [one])).toEqual({ status: "scheduled" });
    }
    const decided =
      "select detail -> 'before' ->> 'status' as was, detail -> 'after' ->> 'status' as is from private.audit_log where actor = $1";
    expect(await world.run("owner", decided, [admin])).toEqual(
      [draft, rival].map(() => ({ was: "submitted", is: "scheduled" })),
    );
    expect(await world.one("service_role", runDue)).toEqual({ published: 0 });
    for (const actor of [mentor, admin, "anon"]) await world.refused(actor, "42501", runDue);
    const due =
      "update public.drafts set publish_at = now() - make_interval(mins => $2) where id = $1";
    await world.run("owner", due, [draft, 2]);
    await world.run("owner", due, [rival, 1]);
    expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
    expect(await draftOf(world, draft)).toMatchObject({ status: "published", publish_at: null });
    expect(await draftOf(world, rival)).toMatchObject({ status: "returned", article_id: null });
    const why = "select author_id from public.draft_comments where draft_id = $1";
    expect(await world.run("owner", why, [rival])).toEqual([{ author_id: null }]);
  });

  test("knows the time its mentor wishes, which the reviewer decides about", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    const wish = "select public.submit_draft($1, 1, now() + interval '2 days') as status";
    expect(await world.one(mentor, wish, [draft])).toEqual({ status: "submitted" });
    expect((await draftOf(world, draft))["publish_at"]).not.toBeNull();
    await world.run(mentor, "select public.recall_draft($1, 1)", [draft]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "draft", publish_at: null });
    await world.run(mentor, wish, [draft]);
    expect(await world.one(admin, publishDraft, [draft, 1])).toEqual({ status: "published" });
    expect(await draftOf(world, draft)).toMatchObject({ publish_at: null });
  });

  test("of a changed course takes no completion away", async ({ world }) => {
    const [mentor, admin] = [await world.member("mentor-access"), await world.admin()];
    const place = await shelf(world, "general");
    const draft = await createDraft(world, mentor, "course", courseFields(place));
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    const course = String((await draftOf(world, draft))["course_id"]);
    const student = await atLevel(world, 2);
    await enrol(world, student, course);
    const complete = `insert into public.module_completions (user_id, module_id)
      select $1, id from public.course_modules where course_id = $2`;
    await world.run(student, complete, [student, course]);
    const state = `select e.progress_percentage, e.completed_at is not null as done, c.module_count, c.mentor_id,
        c.estimated_duration
      from public.course_enrollments e join public.courses c on c.id = e.course_id
      where e.user_id = $1 and e.course_id = $2`;
    const before = { progress_percentage: 100, done: true, mentor_id: mentor };
    expect(await world.one(student, state, [student, course])).toEqual({
      ...before,
      module_count: 2,
      estimated_duration: 40,
    });
    const modules = [
      draftModule("go-on"),
      draftModule("deeper"),
      draftModule("end", { minutes: null }),
    ];
    await world.run(mentor, saveDraft, [draft, 1, courseFields(place, { modules })]);
    await world.run(mentor, submitDraft, [draft, 2]);
    await world.run(admin, publishDraft, [draft, 2]);
    expect(await world.one(student, state, [student, course])).toEqual({
      ...before,
      module_count: 3,
      estimated_duration: 41,
    });
    const order = `select slug from public.course_modules where course_id = $1 and is_published order by module_order`;
    expect(await world.run(student, order, [course])).toEqual(
      ["go-on", "deeper", "end"].map((slug) => ({ slug })),
    );
    const kept = "select from public.module_completions where user_id = $1";
    expect(await world.count(student, kept, [student])).toBe(2);
  });
});
