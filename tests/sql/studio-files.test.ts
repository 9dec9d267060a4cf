import { describe, expect } from "vitest";
import { shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftedArticle,
  publishDraft,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type Row, type World } from "./world.ts";

const importDraft = "select public.import_draft($1, $2, $3) as answer";
const exportStudio = "select public.export_studio() as answer";

async function imported(world: World, mentor: string, fields: string, again = false) {
  const { answer } = await world.one(mentor, importDraft, ["article", fields, again]);
  return answer as { draft_id: string; is_new: boolean };
}

async function exported(world: World, account: string) {
  const { answer } = await world.one(account, exportStudio);
  return answer as { subcategories: Row[]; published: Row[]; drafts: Row[] };
}

describe("an imported file", () => {
  test("becomes a draft of its mentor, for mentors with a live membership only", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const fields = courseFields(await shelf(world, "general"));
    await world.refused("anon", "42501", importDraft, ["course", fields, false]);
    await world.refused("service_role", "42501", importDraft, ["course", fields, false]);
    await world.refused(await world.member(), "FF650", importDraft, ["course", fields, false]);
    const { answer } = await world.one(mentor, importDraft, ["course", fields, false]);
    const { draft_id: draft } = answer as { draft_id: string };
    const read = `select d.owner_id, d.kind, d.status, d.version, v.title, v.saved_by, jsonb_array_length(v.modules) as modules
      from public.drafts d join public.draft_versions v on v.draft_id = d.id where d.id = $1`;
    expect(await world.one(mentor, read, [draft])).toEqual({
      owner_id: mentor,
      kind: "course",
      status: "draft",
      version: 1,
      title: "Study",
      saved_by: mentor,
      modules: 2,
    });
    // Submitted as any draft, so nothing is published by an import.
    expect(await world.one(mentor, submitDraft, [draft, 1])).toEqual({ status: "submitted" });
    await world.setSubscriptionStatus(mentor, "past_due");
    await world.refused(mentor, "FF650", importDraft, ["course", fields, true]);
  });

  test("makes no second draft of one address or title, unless that is wanted", async ({
    world,
  }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    const before = { draft_id: draft, is_new: false };
    const same = articleFields(place, { title: "Another title", content: "Another text." });
    const retitled = articleFields(place, { slug: "another", title: "A PLAN for Monday" });
    expect(await imported(world, mentor, same)).toEqual(before);
    expect(await imported(world, mentor, retitled)).toEqual(before);
    expect(await imported(world, mentor, articleFields(place, { subcategory_id: null }))).toEqual(
      before,
    );
    const text = "select content from public.draft_versions where draft_id = $1";
    expect(await world.run(mentor, text, [draft])).toEqual([
      { content: expect.stringContaining("The first paragraph.") as string },
    ]);
    const second = await imported(world, mentor, same, true);
    expect(second).toMatchObject({ is_new: true });
    expect(second.draft_id).not.toBe(draft);
    const business = await shelf(world, "business");
    for (const fields of [
      articleFields(business),
      articleFields(place, { slug: "", title: "" }),
      articleFields(place, { slug: "", title: "" }),
      articleFields(place, { slug: "its-own", title: "Its own" }),
    ]) {
      expect(await imported(world, mentor, fields)).toMatchObject({ is_new: true });
    }
    const { answer } = await world.one(mentor, importDraft, [
      "course",
      courseFields(place, { slug: "a-plan-for-monday", title: "A Plan for Monday" }),
      false,
    ]);
    expect(answer).toMatchObject({ is_new: true });
  });

  test("is not compared with what other mentors wrote", async ({ world }) => {
    const { place } = await draftedArticle(world);
    const other = await world.member("mentor-access");
    expect(await imported(world, other, articleFields(place))).toMatchObject({ is_new: true });
  });

  test("is refused beyond the limits of the hour and of a draft", async ({ world }) => {
    const { mentor, place } = await draftedArticle(world);
    const long = articleFields(place, { slug: "long", title: "x".repeat(201) });
    await world.refused(mentor, "23514", importDraft, ["article", long, false]);
    await world.refused(mentor, "23514", importDraft, ["poem", articleFields(place), true]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'import_draft'",
    );
    await imported(world, mentor, articleFields(place));
    await world.refused(mentor, "FF300", importDraft, ["article", articleFields(place), false]);
  });
});

describe("an export", () => {
  test("holds what one wrote, published and not, and nothing of others", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    await draftedArticle(world);
    const course = await createDraft(world, mentor, "course", courseFields(place));
    for (const one of [draft, course]) {
      await world.run(mentor, submitDraft, [one, 1]);
      await world.run(admin, publishDraft, [one, 1]);
    }
    await world.run("owner", "update public.articles set is_featured = true where author_id = $1", [
      mentor,
    ]);
    const first = await exported(world, mentor);
    expect(first.subcategories).toEqual([
      expect.objectContaining({ id: place, main_category: "general", name: "A shelf" }),
    ]);
    expect(first.drafts).toEqual([]);
    expect(first.published).toHaveLength(2);
    expect(first.published).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "article", is_featured: true, display_order: 1 }),
        expect.objectContaining({ kind: "course", price: 49.5, difficulty_level: "intermediate" }),
      ]),
    );
    const modules = first.published.find(({ kind }) => kind === "course")?.["modules"];
    expect(modules).toMatchObject([
      { slug: "begin", minutes: 20 },
      { slug: "go-on", minutes: 20 },
    ]);

    await world.run(mentor, saveDraft, [draft, 1, articleFields(place, { content: "Newer." })]);
    await createDraft(world, mentor, "article", articleFields(place, { slug: "next" }));
    const second = await exported(world, mentor);
    expect(second.published).toEqual(first.published);
    // Everything in a test is created at one time, so the order is by chance.
    const drafts = second.drafts.toSorted((one) => (one["slug"] === "next" ? 1 : -1));
    expect(drafts).toMatchObject([
      { kind: "article", content: "Newer.", has_published_version: true },
      { kind: "article", slug: "next", has_published_version: false },
    ]);
    expect(drafts[0]).not.toHaveProperty("saved_by");

    await world.run(mentor, "select public.withdraw_draft($1, 1)", [course]);
    const third = await exported(world, mentor);
    expect(third.published.map(({ kind }) => kind)).toEqual(["article"]);
    expect(third.drafts).toHaveLength(3);
  });

  test("stays open to its writer without a membership, and is limited", async ({ world }) => {
    await world.refused("anon", "42501", exportStudio);
    await world.refused("service_role", "42501", exportStudio);
    const { mentor } = await draftedArticle(world);
    await world.setSubscriptionStatus(mentor, "past_due");
    expect((await exported(world, mentor)).drafts).toHaveLength(1);
    expect(await exported(world, await world.member())).toEqual({
      subcategories: [],
      published: [],
      drafts: [],
    });
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'export_studio'",
    );
    await world.refused(mentor, "FF300", exportStudio);
  });
});
