import { describe, expect } from "vitest";
import { makePost, newMember, reportDirectSql, reportPostSql, write } from "./direct-world.ts";
import { newMark } from "./people-world.ts";
import { courseOf, shelf } from "./library-world.ts";
import { articleFields, draftedArticle, saveDraft } from "./studio-world.ts";
import { test, type Row, type World } from "./world.ts";

const reports = "select public.export_my_data() -> 'reports' as reports";
const page = "select public.export_my_versions($1, $2, $3) as page";
const start = ["00000000-0000-0000-0000-000000000000", 0] as const;

interface VersionsPage {
  readonly items: readonly Row[];
  readonly next: { readonly id: string; readonly version: number } | null;
}

/** Every page of what an account saved. */
async function pagesOf(world: World, account: string, kind: string): Promise<VersionsPage[]> {
  const pages: VersionsPage[] = [];
  for (let after: readonly unknown[] | null = start; after !== null;) {
    const answer = (await world.one(account, page, [kind, ...after]))["page"] as VersionsPage;
    pages.push(answer);
    after = answer.next === null ? null : [answer.next.id, answer.next.version];
  }
  return pages;
}

describe("the export of reports", () => {
  test("does not tell who reported a direct message: there are only two", async ({ world }) => {
    const [eve, bob] = [await newMember(world, "Eve"), await world.member()];
    const { id } = await write(world, eve, bob, newMark());
    await world.run(bob, reportDirectSql, [id, "Threatens me"]);
    expect(await world.one(eve, reports)).toEqual({ reports: [] });
    expect(await world.one(bob, reports)).toMatchObject({
      reports: [{ direct_message_id: id, reason: "Threatens me" }],
    });
  });

  test("has those of a post, which anyone may have made, without who and why", async ({
    world,
  }) => {
    const [eve, bob] = [await newMember(world, "Eve"), await world.member()];
    const post = await makePost(world, eve, { title: newMark(), details: "Coins" });
    await world.run(bob, reportPostSql, [post, "Spam"]);
    const { reports: about } = await world.one(eve, reports);
    expect(about).toMatchObject([{ post_id: post }]);
    expect(Object.keys((about as Row[])[0] ?? {})).not.toContain("reason");
    expect(JSON.stringify(about)).not.toContain(bob);
  });
});

describe("the export of versions", () => {
  test("reads every save once, in pages of at most two megabytes", async ({ world }) => {
    const { mentor, place, draft } = await draftedArticle(world);
    await world.run(
      "owner",
      `insert into public.draft_versions (draft_id, version, saved_by, title, content)
         select $1, n, $2, 'Save ' || n, repeat(md5(n::text), 6250) from generate_series(2, 15) n`,
      [draft, mentor],
    );
    await world.run("owner", "update public.drafts set version = 15 where id = $1", [draft]);
    await world.run(mentor, saveDraft, [draft, 15, articleFields(place, { title: "The last" })]);
    const pages = await pagesOf(world, mentor, "draft");
    expect(pages.length).toBeGreaterThan(1);
    for (const one of pages) expect(JSON.stringify(one).length).toBeLessThan(2_200_000);
    const items = pages.flatMap((one) => one.items);
    expect(items.map(({ version }) => version)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 1),
    );
    expect(items[2]).toMatchObject({ draft_id: draft, title: "Save 3" });
    expect(items[2]).not.toHaveProperty("saved_by");
    // Beside it, everything else fits one answer.
    const whole = (await world.one(mentor, "select public.export_my_data() as data"))["data"];
    expect(whole).toMatchObject({ drafts: [{ id: draft, title: "The last" }] });
    expect(whole).not.toHaveProperty("draft_versions");
  });

  test("has the replaced versions of one's courses", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const { id } = await courseOf(world, await shelf(world, "general"), 1);
    await world.run("owner", "update public.courses set mentor_id = $2 where id = $1", [
      id,
      mentor,
    ]);
    const replace = `insert into private.course_versions (course_id, version, modules) values ($1, 1, '[{"title": "Old"}]')`;
    await world.run("owner", replace, [id]);
    expect(await pagesOf(world, mentor, "course")).toMatchObject([
      { items: [{ course_id: id, version: 1, modules: [{ title: "Old" }] }], next: null },
    ]);
  });

  test("is of one's own alone, without a membership too, and has a rate", async ({ world }) => {
    const { mentor, admin } = await draftedArticle(world);
    for (const outsider of [admin, await world.member("mentor-access"), await world.newcomer()]) {
      for (const kind of ["draft", "course"]) {
        expect(await pagesOf(world, outsider, kind)).toEqual([{ items: [], next: null }]);
      }
    }
    for (const kind of ["reports", null]) {
      await world.refused(mentor, "FF303", page, [kind, ...start]);
    }
    await world.refused("anon", "42501", page, ["draft", ...start]);
    await world.refused("service_role", "42501", page, ["draft", ...start]);
    await world.setSubscriptionStatus(mentor, "canceled");
    expect((await pagesOf(world, mentor, "draft"))[0]?.items).toHaveLength(1);
    const limit = "update private.rate_limits set max_count = 1 where action = 'export_versions'";
    await world.run("owner", limit);
    await world.refused(mentor, "FF300", page, ["draft", ...start]);
  });
});
