import { describe, expect } from "vitest";
import {
  articleFields,
  courseFields,
  createDraft,
  draftedArticle,
  draftModule,
  saveDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const most = 524_288_000;

async function usageOf(world: World, mentor: string): Promise<number> {
  const sql = "select bytes::integer as bytes from private.draft_usage where user_id = $1";
  return Number((await world.one("owner", sql, [mentor]))["bytes"]);
}

const setUsage = async (world: World, mentor: string, bytes: number) =>
  await world.run("owner", "update private.draft_usage set bytes = $2 where user_id = $1", [
    mentor,
    bytes,
  ]);

describe("all versions of a mentor together", () => {
  test("are counted with each save, of every draft", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    const added = async (act: () => Promise<unknown>) => {
      const before = await usageOf(world, mentor);
      await act();
      return (await usageOf(world, mentor)) - before;
    };
    const content = (letters: number) => articleFields(place, { content: "é".repeat(letters) });
    // Bytes, and not letters.
    const small = await added(() => world.run(mentor, saveDraft, [draft, 1, content(100)]));
    const large = await added(() => world.run(mentor, saveDraft, [draft, 2, content(1100)]));
    expect(large - small).toBe(2000);
    // The same text again is no version.
    expect(await added(() => world.run(mentor, saveDraft, [draft, 3, content(1100)]))).toBe(0);
    const modules = [draftModule("begin", { content: "x".repeat(5000) })];
    const course = await added(() =>
      createDraft(world, mentor, "course", courseFields(place, { modules })),
    );
    expect(course).toBeGreaterThan(5500);
    // What is gone makes room again, and nothing falls below zero.
    const gone = "delete from public.draft_versions where draft_id = $1 and version = 2";
    expect(await added(() => world.run("owner", gone, [draft]))).toBe(-small);
    await setUsage(world, mentor, 10);
    await world.run("owner", "delete from public.drafts where id = $1", [draft]);
    expect(await usageOf(world, mentor)).toBe(0);
  });

  test("take 500 MB at most, and what is stored stays", async ({ world }) => {
    const { mentor, admin, place, draft } = await draftedArticle(world);
    const again = articleFields(place, { title: "Again" });
    await setUsage(world, mentor, most - 100);
    await world.refused(mentor, "FF659", saveDraft, [draft, 1, again]);
    await world.refused(mentor, "FF659", "select public.create_draft('article', $1)", [again]);
    await world.refused(mentor, "FF659", "select public.import_draft('article', $1, true)", [
      again,
    ]);
    expect(await usageOf(world, mentor)).toBe(most - 100);
    const versions = "select from public.draft_versions where draft_id = $1";
    expect(await world.count(mentor, versions, [draft])).toBe(1);
    // It is each mentor's own.
    await createDraft(world, admin, "article", articleFields(place, { slug: "of-another" }));
    await setUsage(world, mentor, most - 5000);
    expect(await world.one(mentor, saveDraft, [draft, 1, again])).toEqual({ version: 2 });
  });

  test("are counted by the server alone, and the count goes with the account", async ({
    world,
    owner,
  }) => {
    const { mentor } = await draftedArticle(world);
    for (const actor of [mentor, "anon", "service_role"]) {
      await world.refused(actor, "42501", "select bytes from private.draft_usage");
      await world.refused(actor, "42501", "update private.draft_usage set bytes = 0");
    }
    const exported = "select public.export_my_data() -> 'draft_usage' as usage";
    expect(await world.one(mentor, exported)).toMatchObject({ usage: { user_id: mentor } });
    await owner.query("set local role supabase_auth_admin");
    await owner.query("delete from auth.users where id = $1", [mentor]);
    await owner.query("reset role");
    const left = "select from private.draft_usage where user_id = $1";
    expect(await world.count("owner", left, [mentor])).toBe(0);
  });
});
