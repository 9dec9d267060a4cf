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
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test } from "./world.ts";

describe("a draft", () => {
  test("is begun by mentors and administrators with a live membership only", async ({ world }) => {
    const create = "select public.create_draft('article')";
    await world.refused("anon", "42501", create);
    await world.refused("service_role", "42501", create);
    await world.refused(await world.member(), "FF650", create);
    const mentor = await world.member("mentor-access");
    await world.run(mentor, create);
    await world.run(await world.admin(), create);
    await world.refused(await world.plainAdmin(), "FF650", create);
    await world.setSubscriptionStatus(mentor, "past_due");
    await world.refused(mentor, "FF650", create);
    await world.refused(
      await world.member("mentor-access"),
      "23514",
      "select public.create_draft('poem')",
    );
  });

  test("that nothing was written in is given again instead of a second one", async ({ world }) => {
    const [mentor, other] = [
      await world.member("mentor-access"),
      await world.member("mentor-access"),
    ];
    const begin = async (caller: string, kind: string) =>
      (await world.one(caller, "select public.create_draft($1) as id", [kind]))["id"];
    const first = await begin(mentor, "article");
    expect(await begin(mentor, "article")).toBe(first);
    expect(await begin(mentor, "course")).not.toBe(first);
    expect(await begin(other, "article")).not.toBe(first);
    await world.run(mentor, saveDraft, [first, 1, JSON.stringify({ title: "A plan" })]);
    const second = await begin(mentor, "article");
    expect(second).not.toBe(first);
    // Neither what was put away, nor a text of its own.
    await world.run(mentor, "select public.archive_draft($1, 1, true)", [second]);
    expect(await begin(mentor, "article")).not.toBe(second);
    const written = JSON.stringify({ title: "Another plan" });
    const third = await createDraft(world, mentor, "article", written);
    expect(await createDraft(world, mentor, "article", written)).not.toBe(third);
  });

  test("may be for every subcategory, whatever level its mentor has reached", async ({ world }) => {
    const place = await shelf(world, "wealth");
    const choices = "select id from public.studio_subcategories()";
    await world.refused("anon", "42501", choices);
    await world.refused(await world.member(), "FF650", choices);
    const rows = await world.run(await world.member("mentor-access"), choices);
    expect(rows.map(({ id }) => id)).toContain(place);
  });

  test("has an address that nothing else in its category has", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, publishDraft, [draft, 1]);
    const beside = articleFields(await shelf(world, "general"));
    const elsewhere = articleFields(await shelf(world, "business"));
    const twin = await createDraft(world, mentor, "article", beside);
    await world.refused(mentor, "FF654", submitDraft, [twin, 1]);
    const free = await createDraft(world, mentor, "article", elsewhere);
    expect(await world.one(mentor, submitDraft, [free, 1])).toEqual({ status: "submitted" });
  });

  test("keeps every save as a version", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    const second = articleFields(place, { title: "Second" });
    expect(await world.one(mentor, saveDraft, [draft, 1, second])).toEqual({ version: 2 });
    const versions =
      "select version, saved_by, title from public.draft_versions where draft_id = $1 order by version";
    expect(await world.run(mentor, versions, [draft])).toEqual([
      { version: 1, saved_by: mentor, title: "A Plan for Monday" },
      { version: 2, saved_by: mentor, title: "Second" },
    ]);
    expect(await draftOf(world, draft)).toMatchObject({ version: 2, title: "Second" });
  });

  test("loses nothing to a save from another tab", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    const first = articleFields(place, { content: "From the first tab." });
    await world.run(mentor, saveDraft, [draft, 1, first]);
    // A repeated request is answered as before and adds nothing.
    expect(await world.one(mentor, saveDraft, [draft, 1, first])).toEqual({ version: 2 });
    const other = articleFields(place, { content: "From the second tab." });
    for (const expected of [1, 3, null]) {
      await world.refused(mentor, "FF652", saveDraft, [draft, expected, other]);
    }
    const content =
      "select version, content from public.draft_versions where draft_id = $1 and version > 1";
    expect(await world.run(mentor, content, [draft])).toEqual([
      { version: 2, content: "From the first tab." },
    ]);
    expect(await world.one(mentor, saveDraft, [draft, 2, other])).toEqual({ version: 3 });
  });

  test("is restored as a new version", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { content: "Worse." })]);
    const restore = "select public.restore_draft_version($1, $2, $3) as version";
    await world.refused(mentor, "FF652", restore, [draft, 1, 1]);
    await world.refused(mentor, "FF651", restore, [draft, 9, 2]);
    expect(await world.one(mentor, restore, [draft, 1, 2])).toEqual({ version: 3 });
    const same = `select one.content = three.content and one.tags = three.tags as same
      from public.draft_versions one join public.draft_versions three using (draft_id)
      where draft_id = $1 and one.version = 1 and three.version = 3`;
    expect(await world.one(mentor, same, [draft])).toEqual({ same: true });
  });

  test("is read and changed by nobody else", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const rows = `select (select count(*) from public.drafts where id = $1)::integer
      + (select count(*) from public.draft_versions where draft_id = $1)::integer as seen`;
    const change = articleFields(place, { title: "Taken over" });
    for (const other of [await world.member("mentor-access"), await world.member()]) {
      expect(await world.one(other, rows, [draft])).toEqual({ seen: 0 });
    }
    const rival = await world.member("mentor-access");
    await world.refused(rival, "FF651", saveDraft, [draft, 1, change]);
    await world.refused(rival, "FF651", submitDraft, [draft, 1]);
    for (const call of ["recall_draft", "withdraw_draft", "archive_draft"]) {
      await world.refused(rival, "FF651", `select public.${call}($1, 1)`, [draft]);
    }
    await world.refused(rival, "FF651", "select public.restore_draft_version($1, 1, 1)", [draft]);
    // Administrators read and decide; they do not write in the mentor's name.
    expect(await world.one(admin, rows, [draft])).toEqual({ seen: 2 });
    await world.refused(admin, "FF651", saveDraft, [draft, 1, change]);
    await world.refused("anon", "42501", "select id from public.drafts");
    // The mentor reads it without a membership too.
    await world.setSubscriptionStatus(mentor, "canceled");
    expect(await world.one(mentor, rows, [draft])).toEqual({ seen: 2 });
    await world.refused(mentor, "FF650", saveDraft, [draft, 1, change]);
  });

  test("cannot be written around the functions", async ({ world }) => {
    const { mentor, admin, draft } = await draftedArticle(world);
    for (const actor of [mentor, admin]) {
      for (const sql of [
        "update public.drafts set status = 'published' where id = $1",
        "update public.draft_versions set content = 'x' where draft_id = $1",
        "delete from public.draft_versions where draft_id = $1",
        "delete from public.drafts where id = $1",
        "insert into public.drafts (id, owner_id, kind, title) values ($1, auth.uid(), 'article', 'x')",
        "insert into public.draft_comments (draft_id, version, comment) values ($1, 1, 'Fine')",
        "insert into private.trusted_mentors (user_id) values ($1)",
        "select private.publish_draft_version($1, null)",
        "select private.release_draft($1, null, null)",
        "select approved_by from public.drafts where id = $1",
      ]) {
        await world.refused(actor, "42501", sql, [draft]);
      }
    }
  });

  test("refuses what does not fit", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    for (const [code, fields] of [
      ["23514", { content: "x".repeat(204_801) }],
      ["23514", { title: "x".repeat(201) }],
      ["23514", { tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }],
      ["23503", { subcategory_id: "00000000-0000-4000-8000-000000000000" }],
      ["22P02", { subcategory_id: "here" }],
    ] as const) {
      await world.refused(mentor, code, saveDraft, [draft, 1, articleFields(place, fields)]);
    }
    const course = await createDraft(world, mentor, "course", courseFields(place));
    const many = Array.from({ length: 61 }, (_, at) => draftModule(`m-${at}`));
    for (const [code, fields] of [
      ["23514", { modules: many }],
      ["23514", { difficulty_level: "godlike" }],
      ["23514", { price: -1 }],
    ] as const) {
      await world.refused(mentor, code, saveDraft, [course, 1, courseFields(place, fields)]);
    }
    expect(await draftOf(world, course)).toMatchObject({ version: 1 });
  });

  test("is told what it still needs when it is submitted", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const [place, closed] = [
      await shelf(world, "general"),
      await shelf(world, "general", { is_active: false }),
    ];
    const cases: [string, string, string[]][] = [
      // The address is made of the title.
      ["article", "{}", ["title", "subcategory_id", "excerpt", "tags", "content"]],
      ["article", articleFields(place, { slug: "" }), ["slug"]],
      ["article", articleFields(closed, { tags: ["Loud", "b"] }), ["subcategory_id", "tags"]],
      ["article", articleFields(place, { tags: ["a", "a"], slug: "No" }), ["slug", "tags"]],
      [
        "article",
        articleFields(place, { title: "Two\nlines", content: " \n" }),
        ["title", "content"],
      ],
      ["course", "{}", ["title", "subcategory_id", "excerpt", "modules"]],
      [
        "course",
        courseFields(place, {
          modules: [
            draftModule("", { title: "" }),
            draftModule("", { title: " " }),
            draftModule("", { title: "Named" }),
          ],
        }),
        ["modules.1", "modules.2", "modules.3"],
      ],
      [
        "course",
        courseFields(place, {
          modules: [
            draftModule("a", { content: "No task" }),
            draftModule("b", { video_url: "https://evil.example/x" }),
            draftModule("c", { minutes: 0 }),
            draftModule("c", { title: "" }),
          ],
        }),
        ["modules", "modules.1", "modules.2", "modules.3", "modules.4"],
      ],
    ];
    for (const [kind, fields, expected] of cases) {
      const draft = await createDraft(world, mentor, kind, fields);
      const refusal = await world
        .run(mentor, submitDraft, [draft, 1])
        .catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "FF654" });
      const issues = JSON.parse((refusal as { detail: string }).detail) as { field: string }[];
      expect(issues.map((issue) => issue.field)).toEqual(expected);
    }
  });
});
