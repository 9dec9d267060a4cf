import { describe, expect } from "vitest";
import {
  articleFields,
  createDraft,
  draftedArticle,
  draftOf,
  publishDraft,
  returnDraft,
  runDue,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type Row, type World } from "./world.ts";

const comments = JSON.stringify([{ comment: "Say why it matters." }]);
const recall = "select public.recall_draft($1, $2)";
const publishInConsole = "select public.edit_content_item('articles', $1, $2, null)";

async function bell(world: World, member: string): Promise<Row[]> {
  const answer = await world.one(member, "select public.my_notifications() as bell");
  return (answer["bell"] as { items: Row[] }).items.filter(({ draft_id: id }) => id !== undefined);
}

async function kinds(world: World, member: string): Promise<unknown[]> {
  return (await bell(world, member)).map(({ kind }) => kind);
}

/** Approves a draft for later, and lets its time come. */
async function scheduleUntilDue(world: World, admin: string, draft: string): Promise<void> {
  const later = "select public.publish_draft($1, 1, now() + interval '1 day')";
  await world.run(admin, later, [draft]);
  const due = "update public.drafts set publish_at = now() - interval '1 minute' where id = $1";
  await world.run("owner", due, [draft]);
}

describe("a mentor is told of a review", () => {
  test("that sends the draft back, until it is submitted again", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    expect(await bell(world, mentor)).toEqual([]);
    await world.run(admin, returnDraft, [draft, 1, comments]);
    const returned = {
      kind: "draft_returned",
      actor: "",
      others: 0,
      unread: true,
      draft_id: draft,
      draft_kind: "article",
      draft: "A Plan for Monday",
    };
    const lines = await bell(world, mentor);
    expect(lines).toMatchObject([{ ...returned, actor: null }]);
    expect(JSON.stringify(lines)).not.toContain("Say why it matters.");
    // It asks something, so Today has it too.
    const waiting = "select public.my_today() -> 'waiting' -> 'items' as items";
    expect(await world.one(mentor, waiting)).toMatchObject({
      items: [{ kind: "draft_returned", draft_id: draft }],
    });
    // Nobody else is told: neither the reviewer nor another mentor.
    expect(await bell(world, admin)).toEqual([]);
    expect(await bell(world, await world.member("mentor-access"))).toEqual([]);
    await world.run(mentor, "select public.mark_notifications_read(now() + interval '1 hour')");
    await world.run(mentor, submitDraft, [draft, 1]);
    expect(await bell(world, mentor)).toEqual([]);
    // The same version sent back a second time is news again, in one line.
    await world.run(admin, returnDraft, [draft, 1, comments]);
    expect(await bell(world, mentor)).toMatchObject([{ kind: "draft_returned", unread: true }]);
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { title: "Another" })]);
    expect(await bell(world, mentor)).toMatchObject([{ draft: "Another" }]);
  });

  test("that publishes it, while members can read it", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    expect(await kinds(world, mentor)).toEqual(["draft_published"]);
    const stamp =
      "select created_at from public.notifications where user_id = $1 and subject_id = $2";
    const first = await world.run("owner", stamp, [mentor, draft]);
    // Recalling a change goes back to published, which is no news; the line keeps the title members read.
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { title: "New title" })]);
    await world.run(mentor, submitDraft, [draft, 2]);
    await world.run(mentor, recall, [draft, 2]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "published" });
    expect(await world.run("owner", stamp, [mentor, draft])).toEqual(first);
    expect(await bell(world, mentor)).toMatchObject([{ draft: "A Plan for Monday" }]);
    await world.run(mentor, "select public.withdraw_draft($1, 2)", [draft]);
    expect(await bell(world, mentor)).toEqual([]);
  });

  test("that schedules it, and of what became of it at its time", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const rival = await createDraft(world, mentor, "article", articleFields(place));
    for (const one of [draft, rival]) {
      await world.run(mentor, submitDraft, [one, 1]);
      await scheduleUntilDue(world, admin, one);
    }
    expect(await kinds(world, mentor)).toEqual(["draft_scheduled", "draft_scheduled"]);
    await world.run("service_role", runDue);
    const lines = await bell(world, mentor);
    expect(new Map(lines.map(({ draft_id: id, kind }) => [id, kind]))).toEqual(
      new Map(
        // The first of the two took the address.
        (await draftOf(world, draft))["status"] === "published"
          ? [
              [draft, "draft_published"],
              [rival, "draft_not_published"],
            ]
          : [
              [rival, "draft_published"],
              [draft, "draft_not_published"],
            ],
      ),
    );
    expect(lines).toHaveLength(2);
  });

  test("that an administrator ends, until the draft is submitted again", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, recall, [draft, 1]);
    expect(await bell(world, mentor)).toMatchObject([
      { kind: "draft_recalled", actor: null, unread: true, draft: "A Plan for Monday" },
    ]);
    await world.run(mentor, submitDraft, [draft, 1]);
    expect(await bell(world, mentor)).toEqual([]);
    // The mentor's own recall does not bring the line back.
    await world.run(mentor, recall, [draft, 1]);
    expect(await bell(world, mentor)).toEqual([]);
    await world.run(mentor, submitDraft, [draft, 1]);
    await scheduleUntilDue(world, admin, draft);
    await world.run(admin, recall, [draft, 1]);
    expect(await kinds(world, mentor)).toEqual(["draft_recalled"]);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    expect(await kinds(world, mentor)).toEqual(["draft_published"]);
  });

  test("and of a withdrawal by an administrator, in the studio or the console, until it is published again", async ({
    world,
  }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { title: "New title" })]);
    await world.run(admin, "select public.withdraw_draft($1, 2)", [draft]);
    expect(await bell(world, mentor)).toMatchObject([
      { kind: "draft_withdrawn", actor: null, unread: true, draft: "A Plan for Monday" },
    ]);
    await world.run(mentor, submitDraft, [draft, 2]);
    await world.run(admin, publishDraft, [draft, 2]);
    expect(await kinds(world, mentor)).toEqual(["draft_published"]);
    const { article_id: article } = await draftOf(world, draft);
    await world.run(admin, publishInConsole, [article, false]);
    expect(await kinds(world, mentor)).toEqual(["draft_withdrawn"]);
    await world.run(admin, publishInConsole, [article, true]);
    expect(await kinds(world, mentor)).toEqual(["draft_published"]);
    // Their own withdrawal is no news.
    await world.run(mentor, "select public.withdraw_draft($1, 2)", [draft]);
    expect(await bell(world, mentor)).toEqual([]);
  });

  test("but not of their own acts", async ({ world }) => {
    const { admin, place, mentor } = await draftedArticle(world);
    const trust = "insert into private.trusted_mentors (user_id) values ($1)";
    await world.run("owner", trust, [mentor]);
    for (const [actor, slug] of [
      [mentor, "by-a-mentor"],
      [admin, "by-an-administrator"],
    ] as const) {
      const own = await createDraft(world, actor, "article", articleFields(place, { slug }));
      expect(await world.one(actor, submitDraft, [own, 1])).toEqual({ status: "published" });
      expect(await bell(world, actor)).toEqual([]);
    }
  });

  test("and cannot make such a line, nor read another's", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    const other = await world.member("mentor-access");
    const forge =
      "insert into public.notifications (user_id, kind, subject_id) values ($1, $2, $3)";
    await world.refused(other, "42501", forge, [other, "draft_published", draft]);
    // Even a row that names another's draft shows nothing of it.
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, returnDraft, [draft, 1, comments]);
    await world.run("owner", forge, [other, "draft_returned", draft]);
    expect(await bell(world, other)).toEqual([]);
  });
});
