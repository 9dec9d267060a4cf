import { describe, expect } from "vitest";
import {
  article,
  atLevel,
  complete,
  course,
  courseOf,
  enrol,
  markRead,
  openArticle,
  shelf,
} from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

async function page(world: World, who: string, sql: string, values: readonly unknown[]) {
  return (await world.one(who, `select ${sql} as page`, values))["page"] as Row & {
    subcategories: Row[];
    items: Row[];
  };
}

const home = async (world: World, who: string, category: string, of: string) =>
  await page(world, who, "public.category_home($1, $2)", [category, of]);
const list = async (world: World, who: string, category: string, slug: string, of: string) =>
  await page(world, who, "public.subcategory_page($1, $2, $3)", [category, slug, of]);

/** A category without the shipped content. */
async function cleared(world: World): Promise<void> {
  await world.run("owner", "update public.subcategories set is_active = false");
}

describe("a category's home", () => {
  test("shows the content of each subcategory and the caller's progress", async ({ world }) => {
    await cleared(world);
    const member = await atLevel(world, 2);
    const second = await shelf(world, "general", { name: "Second", display_order: 2 });
    const first = await shelf(world, "general", { name: "First", display_order: 1, slug: "first" });
    const ids = [
      await article(world, first),
      await article(world, first),
      await article(world, first),
    ];
    await article(world, first, { is_published: false });
    await openArticle(world, member, ids[0] ?? "");
    await markRead(world, member, ids[0] ?? "");
    const only = await article(world, second);
    await openArticle(world, member, only);
    await markRead(world, member, only);
    await shelf(world, "general", { name: "Empty", display_order: 3 });
    await shelf(world, "business", { name: "Elsewhere" });
    const answer = await home(world, member, "general", "articles");
    expect(answer).toMatchObject({
      category: "general",
      required_level: 2,
      level: 2,
      is_open: true,
    });
    const figures = answer.subcategories.map((card) => [
      card["name"],
      card["item_count"],
      card["done_count"],
      card["progress"],
      card["is_complete"],
    ]);
    expect(figures).toEqual([
      ["First", 3, 1, 33, false],
      ["Second", 1, 1, 100, true],
      ["Empty", 0, 0, 0, false],
    ]);
    expect(answer.subcategories[0]).toMatchObject({ id: first, slug: "first", color: "#64748b" });
  });

  test("counts free, started and completed courses", async ({ world }) => {
    await cleared(world);
    const member = await atLevel(world, 3);
    const place = await shelf(world, "business");
    const [done, begun] = [await courseOf(world, place, 1), await courseOf(world, place, 2)];
    await course(world, place, { price: 10 });
    await enrol(world, member, done.id);
    await enrol(world, member, begun.id);
    await complete(world, member, done.modules[0] ?? "");
    const { subcategories } = await home(world, member, "business", "courses");
    expect(subcategories).toHaveLength(1);
    expect(subcategories[0]).toMatchObject({
      item_count: 3,
      done_count: 1,
      free_count: 2,
      enrolled_count: 2,
      progress: 33,
      is_complete: false,
    });
  });

  test("shows only the category to members it is closed to", async ({ world }) => {
    const member = await atLevel(world, 3);
    const closed = { required_level: 4, level: 3, is_open: false, subcategories: [] };
    await article(world, await shelf(world, "wealth"));
    expect(await home(world, member, "wealth", "articles")).toMatchObject(closed);
    await world.setSubscriptionStatus(member, "past_due");
    expect(await home(world, member, "general", "articles")).toMatchObject({
      level: 0,
      is_open: false,
      subcategories: [],
    });
    const sql = "select public.category_home('general', 'articles')";
    await world.refused("anon", "42501", sql);
    await world.refused(member, "FF406", "select public.category_home('health', 'articles')");
    await world.refused(member, "FF407", "select public.category_home('general', 'videos')");
  });
});

describe("a subcategory's page", () => {
  test("lists articles, featured first, then newest, with author and read mark", async ({
    world,
  }) => {
    const [member, mentor] = [await atLevel(world, 2), await world.member("mentor-access")];
    const place = await shelf(world, "general", { slug: "a-shelf" });
    const add = async (title: string, row: Row) => await article(world, place, { title, ...row });
    await add("Old", { created_at: "2026-01-01" });
    const read = await add("New", { created_at: "2026-03-01", author_id: mentor });
    await add("Featured", { created_at: "2026-02-01", is_featured: true, tags: ["a", "b"] });
    await add("Draft", { is_published: false });
    await openArticle(world, member, read);
    await markRead(world, member, read);
    const answer = await list(world, member, "general", "a-shelf", "articles");
    expect(answer["subcategory"]).toMatchObject({ id: place, name: "A shelf" });
    expect(answer.items.map((item) => item["title"])).toEqual(["Featured", "New", "Old"]);
    expect(answer.items[0]).toMatchObject({ is_featured: true, is_read: false, tags: ["a", "b"] });
    expect(answer.items[1]).toMatchObject({
      is_read: true,
      read_count: 1,
      author_first_name: "Ada",
      author_role: "mentor",
    });
    expect(answer.items[2]).toMatchObject({ author_first_name: null });
    for (const item of answer.items) expect(item).not.toHaveProperty("content");
  });

  test("lists courses with price, size and the caller's progress", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general", { slug: "b-shelf" });
    const lessons = await courseOf(world, place, 2);
    await course(world, place, { title: "Dear", price: 49.5, is_featured: true });
    await enrol(world, member, lessons.id);
    await complete(world, member, lessons.modules[0] ?? "");
    const { items } = await list(world, member, "general", "b-shelf", "courses");
    expect(items[0]).toMatchObject({
      title: "Dear",
      price: 49.5,
      is_free: false,
      is_enrolled: false,
    });
    expect(items[1]).toMatchObject({
      is_free: true,
      is_enrolled: true,
      progress_percentage: 50,
      completed_at: null,
      module_count: 2,
      enrollment_count: 1,
    });
  });

  test("is empty when the subcategory is hidden or does not exist", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "business", { slug: "c-shelf" });
    await article(world, place);
    const nothing = { subcategory: null, items: [] };
    expect(await list(world, member, "business", "c-shelf", "articles")).toMatchObject(nothing);
    expect(await list(world, member, "general", "c-shelf", "articles")).toMatchObject(nothing);
    expect(await list(world, member, "general", "no-such", "courses")).toMatchObject(nothing);
    await world.refused(
      "anon",
      "42501",
      "select public.subcategory_page('general', 'x', 'articles')",
    );
    await world.refused(member, "FF407", "select public.subcategory_page('general', 'x', 'y')");
  });
});
