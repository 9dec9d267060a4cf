import { describe, expect } from "vitest";
import {
  article,
  atLevel,
  complete,
  course,
  courseModule,
  courseOf,
  enrol,
  markRead,
  openArticle,
  shelf,
  type Category,
} from "./library-world.ts";
import { test, type Actor, type World } from "./world.ts";

const categoryLevels: [Category, number][] = [
  ["general", 2],
  ["business", 3],
  ["wealth", 4],
];

/** A subcategory with an article and a course of one module. */
async function stocked(world: World, category: Category) {
  const place = await shelf(world, category);
  const text = await article(world, place);
  const lessons = await courseOf(world, place, 1);
  return { place, text, lessons };
}

type Stock = Awaited<ReturnType<typeof stocked>>;

/** How many subcategories, articles, courses and modules of a stock an account can select. */
async function sees(world: World, who: Actor, { place, text, lessons }: Stock): Promise<number[]> {
  const looks: [string, string][] = [
    ["subcategories", place],
    ["articles", text],
    ["courses", lessons.id],
    ["course_modules", lessons.modules[0] ?? ""],
  ];
  const seen: number[] = [];
  for (const [table, id] of looks) {
    seen.push(await world.count(who, `select * from public.${table} where id = $1`, [id]));
  }
  return seen;
}

describe("a category", () => {
  test.for(categoryLevels)(
    "%s opens at level %i and not below",
    async ([category, level], { world }) => {
      const stock = await stocked(world, category);
      const below = await atLevel(world, level - 1);
      expect(await sees(world, below, stock)).toEqual([0, 0, 0, 0]);
      expect(await openArticle(world, below, stock.text)).toBe(0);
      await expect(markRead(world, below, stock.text)).rejects.toMatchObject({ code: "FF401" });
      await expect(enrol(world, below, stock.lessons.id)).rejects.toMatchObject({ code: "FF404" });
      const there = await atLevel(world, level);
      expect(await sees(world, there, stock)).toEqual([1, 1, 1, 0]);
      expect(await openArticle(world, there, stock.text)).toBe(1);
      await markRead(world, there, stock.text);
      await enrol(world, there, stock.lessons.id);
      expect(await sees(world, there, stock)).toEqual([1, 1, 1, 1]);
    },
  );

  test("closes with the membership and opens again with it, including enrolments", async ({
    world,
  }) => {
    const stock = await stocked(world, "general");
    const member = await atLevel(world, 4);
    await enrol(world, member, stock.lessons.id);
    await openArticle(world, member, stock.text);
    for (const status of ["past_due", "canceled", "unpaid", "paused"]) {
      await world.setSubscriptionStatus(member, status);
      expect(await sees(world, member, stock), status).toEqual([0, 0, 0, 0]);
      await expect(markRead(world, member, stock.text)).rejects.toMatchObject({ code: "FF401" });
      const done = complete(world, member, stock.lessons.modules[0] ?? "");
      await expect(done).rejects.toMatchObject({ code: "FF405" });
    }
    await world.setSubscriptionStatus(member, "active");
    expect(await sees(world, member, stock)).toEqual([1, 1, 1, 1]);
  });

  test("opens to mentors at every level where it is their training, and to no student", async ({
    world,
  }) => {
    const stock = await stocked(world, "wealth");
    await world.run(
      "owner",
      "update public.subcategories set open_to_mentors = true where id = $1",
      [stock.place],
    );
    const elsewhere = await stocked(world, "wealth");
    const mentor = await world.member("mentor-access");
    expect(await sees(world, mentor, stock)).toEqual([1, 1, 1, 0]);
    await enrol(world, mentor, stock.lessons.id);
    expect(await sees(world, mentor, stock)).toEqual([1, 1, 1, 1]);
    expect(await sees(world, mentor, elsewhere)).toEqual([0, 0, 0, 0]);
    const student = await world.member();
    expect(await sees(world, student, stock)).toEqual([0, 0, 0, 0]);
    await expect(enrol(world, student, stock.lessons.id)).rejects.toMatchObject({ code: "FF404" });
    await world.refused(
      mentor,
      "42501",
      "update public.subcategories set open_to_mentors = true where id = $1",
      [elsewhere.place],
    );
    await world.setSubscriptionStatus(mentor, "past_due");
    expect(await sees(world, mentor, stock)).toEqual([0, 0, 0, 0]);
  });

  test("closes again when the level is lowered", async ({ world }) => {
    const stock = await stocked(world, "business");
    const member = await atLevel(world, 3);
    await enrol(world, member, stock.lessons.id);
    await world.run("owner", "update public.user_levels set current_level = 2 where user_id = $1", [
      member,
    ]);
    expect(await sees(world, member, stock)).toEqual([0, 0, 0, 0]);
  });

  test("is hidden from visitors and newcomers, and open to administrators", async ({ world }) => {
    const stock = await stocked(world, "wealth");
    for (const table of ["subcategories", "articles", "courses", "course_modules"]) {
      await world.refused("anon", "42501", `select id from public.${table}`);
    }
    expect(await sees(world, await world.newcomer(), stock)).toEqual([0, 0, 0, 0]);
    const admin = await world.admin();
    expect(await sees(world, admin, stock)).toEqual([1, 1, 1, 1]);
    await world.run("owner", "update public.articles set is_published = false where id = $1", [
      stock.text,
    ]);
    await world.run("owner", "update public.courses set is_published = false where id = $1", [
      stock.lessons.id,
    ]);
    await world.run("owner", "update public.subcategories set is_active = false where id = $1", [
      stock.place,
    ]);
    expect(await sees(world, admin, stock)).toEqual([1, 1, 1, 1]);
  });
});

describe("unpublished content", () => {
  test("is hidden from members: an article, a course with its modules, a module, a subcategory", async ({
    world,
  }) => {
    const stock = await stocked(world, "general");
    const member = await atLevel(world, 2);
    await enrol(world, member, stock.lessons.id);
    const set = async (table: string, column: string, id: string, value: boolean) =>
      await world.run("owner", `update public.${table} set ${column} = $2 where id = $1`, [
        id,
        value,
      ]);
    await set("course_modules", "is_published", stock.lessons.modules[0] ?? "", false);
    expect(await sees(world, member, stock)).toEqual([1, 1, 1, 0]);
    await set("course_modules", "is_published", stock.lessons.modules[0] ?? "", true);
    await set("courses", "is_published", stock.lessons.id, false);
    await set("articles", "is_published", stock.text, false);
    expect(await sees(world, member, stock)).toEqual([1, 0, 0, 0]);
    expect(await openArticle(world, member, stock.text)).toBe(0);
    await set("courses", "is_published", stock.lessons.id, true);
    await set("articles", "is_published", stock.text, true);
    await set("subcategories", "is_active", stock.place, false);
    expect(await sees(world, member, stock)).toEqual([0, 0, 0, 0]);
  });
});

describe("an update without a condition", () => {
  test("changes no row the member may not see", async ({ world }) => {
    const stock = await stocked(world, "wealth");
    const [high, low] = [await atLevel(world, 4), await atLevel(world, 1)];
    await enrol(world, high, stock.lessons.id);
    for (const sql of [
      "update public.articles set read_count = 1",
      "update public.courses set enrollment_count = 1",
      "update public.course_enrollments set progress_percentage = 1",
    ]) {
      expect(await world.count(low, sql), sql).toBe(0);
    }
  });
});

describe("realtime", () => {
  test("publishes no table of the library", async ({ world }) => {
    const sql = `select tablename from pg_publication_tables where pubname = 'supabase_realtime'
      and tablename ~ '^(subcategories|article|course|module)'`;
    expect(await world.run("owner", sql)).toEqual([]);
  });
});

describe("a mentor", () => {
  test("sees their own work at any level, drafts included, and nothing else", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const place = await shelf(world, "wealth");
    const text = await article(world, place, { author_id: mentor, is_published: false });
    const lessons = await course(world, place, { mentor_id: mentor, is_published: false });
    const lesson = await courseModule(world, lessons, 1, { is_published: false });
    const own = { place, text, lessons: { id: lessons, modules: [lesson] } };
    expect(await sees(world, mentor, own)).toEqual([1, 1, 1, 1]);
    await world.setSubscriptionStatus(mentor, "past_due");
    expect(await sees(world, mentor, own)).toEqual([1, 1, 1, 1]);
    await world.setSubscriptionStatus(mentor, "active");
    const beside = await article(world, place);
    const others = await courseOf(world, place, 1);
    const theirs = { place, text: beside, lessons: others };
    expect(await sees(world, mentor, theirs)).toEqual([1, 0, 0, 0]);
    expect(await sees(world, await atLevel(world, 4), own)).toEqual([1, 0, 0, 0]);
    expect(await openArticle(world, mentor, text)).toBe(0);
  });
});

describe("a member's reading and enrolments", () => {
  test("cannot be seen, inserted or changed by another member", async ({ world }) => {
    const stock = await stocked(world, "general");
    const [member, other] = [await atLevel(world, 2), await atLevel(world, 2)];
    await openArticle(world, member, stock.text);
    await markRead(world, member, stock.text);
    await enrol(world, member, stock.lessons.id);
    await complete(world, member, stock.lessons.modules[0] ?? "");
    const tables = ["article_opens", "article_reads", "course_enrollments", "module_completions"];
    for (const table of tables) {
      const sql = `select * from public.${table} where user_id = $1`;
      expect(await world.count(member, sql, [member]), table).toBe(1);
      expect(await world.count(other, sql, [member]), table).toBe(0);
      await world.refused(
        member,
        "42501",
        `delete from public.${table} where user_id = '${member}'`,
      );
    }
    const values = { article_reads: stock.text, course_enrollments: stock.lessons.id };
    for (const [table, id] of Object.entries(values)) {
      await world.refused(other, "42501", `insert into public.${table} values ($1, $2)`, [
        member,
        id,
      ]);
      const column = table === "article_reads" ? "article_id" : "course_id";
      const forged = `insert into public.${table} (user_id, ${column}) values ($1, $2)`;
      await world.run("owner", `delete from public.${table} where user_id = $1`, [member]);
      await world.refused(other, "42501", forged, [member, id]);
    }
    const forged = "insert into public.module_completions (user_id, module_id) values ($1, $2)";
    await world.run("owner", "delete from public.module_completions where user_id = $1", [member]);
    await world.refused(other, "42501", forged, [member, stock.lessons.modules[0]]);
    await world.refused(
      member,
      "42501",
      "insert into public.article_opens values ($1, $2, now())",
      [member, stock.text],
    );
    const sql = "update public.course_enrollments set progress_percentage = 5 where user_id = $1";
    expect(await world.count(other, sql, [member])).toBe(0);
  });

  test("are deleted with the account, which lowers the count of the course", async ({ world }) => {
    const stock = await stocked(world, "general");
    const member = await atLevel(world, 2);
    await enrol(world, member, stock.lessons.id);
    const count = "select enrollment_count as n from public.courses where id = $1";
    expect(await world.one("owner", count, [stock.lessons.id])).toEqual({ n: 1 });
    await world.run("owner", "delete from auth.users where id = $1", [member]);
    expect(await world.one("owner", count, [stock.lessons.id])).toEqual({ n: 0 });
  });

  test("stay in the evidence of progress, without a title once the category is closed", async ({
    world,
  }) => {
    const stock = await stocked(world, "general");
    const member = await atLevel(world, 2);
    await openArticle(world, member, stock.text);
    await markRead(world, member, stock.text);
    await enrol(world, member, stock.lessons.id);
    await complete(world, member, stock.lessons.modules[0] ?? "");
    const labels = async () => {
      const found: unknown[] = [];
      for (const kind of ["articles", "courses"]) {
        const sql = "select label from public.progress_evidence($1)";
        found.push((await world.one(member, sql, [kind]))["label"]);
      }
      return found;
    };
    expect(await labels()).toEqual(["An article", "A course"]);
    await world.setSubscriptionStatus(member, "past_due");
    expect(await labels()).toEqual([null, null]);
  });
});
