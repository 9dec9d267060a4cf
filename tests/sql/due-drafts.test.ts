import { describe, expect } from "vitest";
import { shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftedArticle,
  draftModule,
  draftOf,
  publishDraft,
  runDue,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const comments = "select comment from public.draft_comments where draft_id = $1";
const trust = "select public.set_trusted_mentor($1, true, 'Ten good courses')";
const later = "now() + interval '1 day'";

const isPublished = (kind: "article" | "course") =>
  `select w.is_published from public.${kind}s w join public.drafts d on d.${kind}_id = w.id where d.id = $1`;

const edit = (column: "is_published" | "is_featured", value: boolean) =>
  `select public.edit_content_item($1, $2, ${column} => ${value})`;

/** Lets the time of a scheduled draft come. */
async function letTimeCome(world: World, draft: string, minutesAgo = 1): Promise<void> {
  const due =
    "update public.drafts set publish_at = now() - make_interval(mins => $2) where id = $1";
  await world.run("owner", due, [draft, minutesAgo]);
}

/** A published article or course with a newer version that is scheduled, by a trusted mentor or by an administrator. */
async function scheduledChange(world: World, kind: "article" | "course", isTrusted: boolean) {
  const [mentor, admin] = [await world.member("mentor-access"), await world.admin()];
  const place = await shelf(world, "general");
  const fields = kind === "article" ? articleFields : courseFields;
  const draft = await createDraft(world, mentor, kind, fields(place));
  await world.run(mentor, submitDraft, [draft, 1]);
  await world.run(admin, publishDraft, [draft, 1]);
  await world.run(mentor, saveDraft, [draft, 1, fields(place, { title: "Newer" })]);
  if (isTrusted) {
    await world.run(admin, trust, [mentor]);
    await world.run(mentor, `select public.submit_draft($1, 2, ${later})`, [draft]);
  } else {
    await world.run(mentor, submitDraft, [draft, 2]);
    await world.run(admin, `select public.publish_draft($1, 2, ${later})`, [draft]);
  }
  const row = await draftOf(world, draft);
  expect(row).toMatchObject({ status: "scheduled" });
  return { mentor, admin, draft, item: row[`${kind}_id`] };
}

describe("what the console withdrew", () => {
  test.for([
    ["article", true],
    ["article", false],
    ["course", true],
    ["course", false],
  ] as const)(
    "does not come back at the time of a newer version: %s, trusted: %s",
    async ([kind, isTrusted], { world }) => {
      const { mentor, admin, draft, item } = await scheduledChange(world, kind, isTrusted);
      const wish = (await draftOf(world, draft))["publish_at"];
      await world.run(admin, edit("is_published", false), [`${kind}s`, item]);
      // It is reviewed with its time as a wish, and its mentor reads why.
      expect(await draftOf(world, draft)).toMatchObject({
        status: "submitted",
        publish_at: wish,
        approved_by: null,
      });
      const why = expect.stringContaining("withdrew this from the library") as string;
      expect(await world.run(mentor, comments, [draft])).toEqual([{ comment: why }]);
      await letTimeCome(world, draft);
      expect(await world.one("service_role", runDue)).toEqual({ published: 0 });
      expect(await world.one("owner", isPublished(kind), [draft])).toEqual({ is_published: false });
      // Trust does not bring it back either; a review does.
      await world.run(mentor, "select public.recall_draft($1, 2)", [draft]);
      expect(await world.one(mentor, submitDraft, [draft, 2])).toEqual({ status: "submitted" });
      await world.run(admin, `select public.publish_draft($1, 2, ${later})`, [draft]);
      await letTimeCome(world, draft);
      expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
      expect(await world.one("owner", isPublished(kind), [draft])).toEqual({ is_published: true });
    },
  );

  test("is another matter than what it features, or publishes again", async ({ world }) => {
    const { mentor, admin, draft, item } = await scheduledChange(world, "article", true);
    for (const act of [edit("is_featured", true), edit("is_published", true)]) {
      await world.run(admin, act, ["articles", item]);
      await world.refused(mentor, "FF002", act, ["articles", item]);
    }
    await world.refused(mentor, "42501", "select private.review_withdrawn($1)", [item]);
    expect(await draftOf(world, draft)).toMatchObject({ status: "scheduled" });
    await letTimeCome(world, draft);
    expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
    expect(await world.run(mentor, comments, [draft])).toEqual([]);
  });
});

describe("what is due", () => {
  test("waits while its mentor is suspended, approved or trusted", async ({ world }) => {
    const scheduled = [
      await scheduledChange(world, "article", false),
      await scheduledChange(world, "course", true),
    ];
    for (const { mentor, admin, draft } of scheduled) {
      await world.run(admin, "select public.suspend_member($1, 'Spam', 7)", [mentor]);
      await letTimeCome(world, draft);
      expect(await world.one("service_role", runDue)).toEqual({ published: 0 });
      expect(await draftOf(world, draft)).toMatchObject({ status: "scheduled" });
      await world.run(admin, "select public.lift_suspension($1, 'Sorry')", [mentor]);
      expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
    }
  });

  test("is published one at a time, and what takes too long goes back to its mentor alone", async ({
    world,
  }) => {
    const other = await draftedArticle(world);
    const author = await world.member("mentor-access");
    const fields = articleFields(other.place, { title: "Heavy", slug: "heavy" });
    const heavy = {
      mentor: author,
      admin: other.admin,
      draft: await createDraft(world, author, "article", fields),
    };
    for (const [{ mentor, admin, draft }, minutesAgo] of [
      [heavy, 2],
      [other, 1],
    ] as const) {
      await world.run(mentor, submitDraft, [draft, 1]);
      await world.run(admin, `select public.publish_draft($1, 1, ${later})`, [draft]);
      await letTimeCome(world, draft, minutesAgo);
    }
    // In place of a text that takes the database long. It works, as that would: a sleeping server does not hear its own
    // timeout where libfaketime has moved the clock.
    await world.run(
      "owner",
      `create function public.take_long() returns trigger language plpgsql as $$
         begin for turn in 1 .. 1000000000 loop perform 1; end loop; return new; end $$`,
    );
    await world.run(
      "owner",
      `create trigger take_long before insert on public.articles for each row
         when (new.title = 'Heavy') execute function public.take_long()`,
    );
    await world.run("owner", "set local statement_timeout = '1s'");
    const each = "select public.publish_due_draft() as outcome";
    expect(await world.one("service_role", each)).toEqual({ outcome: "returned" });
    expect(await world.one("service_role", each)).toEqual({ outcome: "published" });
    expect(await world.one("service_role", each)).toEqual({ outcome: null });
    await world.run("owner", "set local statement_timeout = 0");
    expect(await draftOf(world, heavy.draft)).toMatchObject({ status: "returned" });
    const why = expect.stringContaining("It took too long") as string;
    expect(await world.run(heavy.mentor, comments, [heavy.draft])).toEqual([{ comment: why }]);
    expect(await draftOf(world, other.draft)).toMatchObject({ status: "published" });
  });

  test("goes back alone, with the line, when it is from before texts were bounded", async ({
    world,
  }) => {
    const [heavy, other] = [await draftedArticle(world), await draftedArticle(world)];
    for (const [{ mentor, admin, draft }, minutesAgo] of [
      [heavy, 2],
      [other, 1],
    ] as const) {
      await world.run(mentor, submitDraft, [draft, 1]);
      await world.run(admin, `select public.publish_draft($1, 1, ${later})`, [draft]);
      await letTimeCome(world, draft, minutesAgo);
    }
    const bounded = "public.draft_versions disable trigger draft_versions__bound_markdown";
    await world.run("owner", `alter table ${bounded}`);
    await world.run(
      "owner",
      "update public.draft_versions set content = E'Fine.\\n\\n' || repeat('**a', 3000) where draft_id = $1",
      [heavy.draft],
    );
    expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
    expect(await draftOf(world, other.draft)).toMatchObject({ status: "published" });
    expect(await draftOf(world, heavy.draft)).toMatchObject({ status: "returned" });
    const why = expect.stringMatching(/Line 3: This paragraph has over 2,000/) as string;
    expect(await world.run(heavy.mentor, comments, [heavy.draft])).toEqual([{ comment: why }]);
  });

  test("goes back alone when the database fails on it, and stays when the failure is not its own", async ({
    world,
  }) => {
    const [heavy, other] = [await draftedArticle(world), await draftedArticle(world)];
    for (const [{ mentor, admin, draft }, minutesAgo] of [
      [heavy, 2],
      [other, 1],
    ] as const) {
      await world.run(mentor, submitDraft, [draft, 1]);
      await world.run(admin, `select public.publish_draft($1, 1, ${later})`, [draft]);
      await letTimeCome(world, draft, minutesAgo);
    }
    const fail = async (code: string) =>
      await world.run(
        "owner",
        `create or replace function private.publish_article(d public.drafts, v public.draft_versions) returns uuid
           language plpgsql as $$ begin raise exception using errcode = '${code}', message = 'invalid memory alloc request size'; end $$`,
      );
    const each = "select public.publish_due_draft() as outcome";
    for (const code of ["40001", "40P01", "53200", "55P03", "57P03", "58030"]) {
      await fail(code);
      await world.refused("service_role", code, each);
      expect(await draftOf(world, heavy.draft)).toMatchObject({ status: "scheduled" });
    }
    await fail("XX000");
    expect(await world.one("service_role", each)).toEqual({ outcome: "returned" });
    const why = expect.stringContaining("The library could not take it.") as string;
    expect(await world.run(heavy.mentor, comments, [heavy.draft])).toEqual([{ comment: why }]);
    expect(await draftOf(world, other.draft)).toMatchObject({ status: "scheduled" });
  });

  test("is taken from each mentor in turn", async ({ world }) => {
    const many = await draftedArticle(world);
    const author = await world.member("mentor-access");
    const named = articleFields(many.place, { title: "Another", slug: "another" });
    const one = { mentor: author, draft: await createDraft(world, author, "article", named) };
    const second = await createDraft(
      world,
      many.mentor,
      "article",
      articleFields(many.place, { title: "Second", slug: "second" }),
    );
    for (const [mentor, draft, minutesAgo] of [
      [many.mentor, many.draft, 3],
      [many.mentor, second, 2],
      [one.mentor, one.draft, 1],
    ] as const) {
      await world.run(mentor, submitDraft, [draft, 1]);
      await world.run(many.admin, `select public.publish_draft($1, 1, ${later})`, [draft]);
      await letTimeCome(world, draft, minutesAgo);
    }
    const each = "select public.publish_due_draft() as outcome";
    await world.one("service_role", each);
    expect(await draftOf(world, many.draft)).toMatchObject({ status: "published" });
    await world.one("service_role", each);
    expect(await draftOf(world, one.draft)).toMatchObject({ status: "published" });
    expect(await draftOf(world, second)).toMatchObject({ status: "scheduled" });
  });

  test("is not held back by what the library refuses, which is set aside and told", async ({
    world,
  }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const address = `/films/${"x".repeat(600)}.mp4`;
    const modules = [draftModule("begin", { video_url: address })];
    const broken = await createDraft(world, mentor, "course", courseFields(place, { modules }));
    const issue = [
      { field: "modules.1", message: "The address of a film has at most 500 characters." },
    ];
    const issues = `select private.draft_issues(d, v) as issues from public.drafts d
      join public.draft_versions v on v.draft_id = d.id where d.id = $1`;
    expect(await world.one("owner", issues, [broken])).toEqual({ issues: issue });
    await world.refused(mentor, "FF654", submitDraft, [broken, 1]);
    // As if nothing had been checked, so that the library's own constraint refuses it.
    await world.run(
      "owner",
      `create or replace function private.draft_issues(d public.drafts, v public.draft_versions) returns jsonb
         language sql stable set search_path = '' as $$ select '[]'::jsonb $$`,
    );
    for (const [one, minutesAgo] of [
      [broken, 2],
      [draft, 1],
    ] as const) {
      await world.run(mentor, submitDraft, [one, 1]);
      await world.run(admin, `select public.publish_draft($1, 1, ${later})`, [one]);
      await letTimeCome(world, one, minutesAgo);
    }
    expect(await world.one("service_role", runDue)).toEqual({ published: 1 });
    expect(await draftOf(world, draft)).toMatchObject({ status: "published" });
    expect(await draftOf(world, broken)).toMatchObject({ status: "returned", course_id: null });
    const why = expect.stringContaining("The library refused one of its fields.") as string;
    expect(await world.run(mentor, comments, [broken])).toEqual([{ comment: why }]);
    expect(await world.one("service_role", runDue)).toEqual({ published: 0 });
  });
});
