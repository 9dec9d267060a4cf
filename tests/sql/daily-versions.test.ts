import { describe, expect } from "vitest";
import {
  articleFields,
  createDraft,
  draftedArticle,
  publishDraft,
  returnDraft,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const keepDaily = "select public.keep_daily_versions($1) as deleted";

/** Saves versions up to a number, each with a text of its own. */
async function saveUpTo(
  world: World,
  { mentor, place, draft }: { mentor: string; place: string; draft: string },
  from: number,
  to: number,
): Promise<void> {
  for (let version = from; version < to; version += 1) {
    const fields = articleFields(place, { content: `Text ${version + 1}.` });
    await world.run(mentor, saveDraft, [draft, version, fields]);
  }
}

const savedAt = async (world: World, draft: string, version: number, at: string) =>
  await world.run(
    "owner",
    "update public.draft_versions set saved_at = $3 where draft_id = $1 and version = $2",
    [draft, version, at],
  );

async function versionsOf(world: World, draft: string): Promise<unknown[]> {
  const sql = "select version from public.draft_versions where draft_id = $1 order by version";
  return (await world.run("owner", sql, [draft])).map(({ version }) => version);
}

describe("keeping one version a day", () => {
  test("deletes the others of past days, which makes room", async ({ world }) => {
    const studio = await draftedArticle(world);
    const { mentor, draft } = studio;
    await saveUpTo(world, studio, 1, 7);
    // Two on one day in UTC, one just after midnight, and the rest within the last day.
    await savedAt(world, draft, 1, "2026-03-01T10:00:00Z");
    await savedAt(world, draft, 2, "2026-03-01T22:59:00Z");
    await savedAt(world, draft, 3, "2026-03-01T23:59:00Z");
    await savedAt(world, draft, 4, "2026-03-02T00:00:00Z");
    // A later version of another draft, on the first of the two days.
    const slug = "beside";
    const beside = await createDraft(
      world,
      mentor,
      "article",
      articleFields(studio.place, { slug }),
    );
    await saveUpTo(world, { ...studio, draft: beside }, 1, 4);
    await savedAt(world, beside, 4, "2026-03-01T23:59:30Z");
    const usage = "select bytes from private.draft_usage where user_id = $1";
    const before = Number((await world.one("owner", usage, [mentor]))["bytes"]);
    expect(await world.one(mentor, keepDaily, [draft])).toEqual({ deleted: 2 });
    expect(await versionsOf(world, draft)).toEqual([3, 4, 5, 6, 7]);
    expect(Number((await world.one("owner", usage, [mentor]))["bytes"])).toBeLessThan(before);
    expect(await world.one(mentor, keepDaily, [draft])).toEqual({ deleted: 0 });
    // One goes on writing, and restores what is left.
    await saveUpTo(world, studio, 7, 8);
    const restore = "select public.restore_draft_version($1, $2, $3) as version";
    expect(await world.one(mentor, restore, [draft, 3, 8])).toEqual({ version: 9 });
    await world.refused(mentor, "FF651", restore, [draft, 1, 9]);
  });

  test("keeps the newest, the published one and what a review is about", async ({ world }) => {
    const studio = await draftedArticle(world);
    const { mentor, admin, draft } = studio;
    await world.run(mentor, submitDraft, [draft, 1]);
    await world.run(admin, returnDraft, [draft, 1, JSON.stringify([{ comment: "Say why." }])]);
    await saveUpTo(world, studio, 1, 3);
    await world.run(mentor, submitDraft, [draft, 3]);
    await world.run(admin, publishDraft, [draft, 3]);
    await saveUpTo(world, studio, 3, 5);
    for (let version = 1; version <= 5; version += 1) {
      await savedAt(world, draft, version, `2026-03-01T1${version}:00:00Z`);
    }
    expect(await world.one(mentor, keepDaily, [draft])).toEqual({ deleted: 2 });
    expect(await versionsOf(world, draft)).toEqual([1, 3, 5]);
    const comments = "select from public.draft_comments where draft_id = $1";
    expect(await world.count("owner", comments, [draft])).toBe(1);
  });

  test("is for the owner alone, of one draft, with or without a membership", async ({ world }) => {
    const studio = await draftedArticle(world);
    const { mentor, admin, place, draft } = studio;
    await saveUpTo(world, studio, 1, 3);
    const other = await createDraft(
      world,
      mentor,
      "article",
      articleFields(place, { slug: "other" }),
    );
    await world.run(mentor, saveDraft, [other, 1, articleFields(place, { slug: "other-2" })]);
    await world.run("owner", "update public.draft_versions set saved_at = '2026-03-01'");
    await world.refused("anon", "42501", keepDaily, [draft]);
    await world.refused("service_role", "42501", keepDaily, [draft]);
    for (const stranger of [await world.member("mentor-access"), admin]) {
      await world.refused(stranger, "FF651", keepDaily, [draft]);
    }
    await world.setSubscriptionStatus(mentor, "past_due");
    expect(await world.one(mentor, keepDaily, [draft])).toEqual({ deleted: 2 });
    expect(await versionsOf(world, other)).toEqual([1, 2]);
  });
});
