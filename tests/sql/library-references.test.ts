import { describe, expect } from "vitest";
import { article, atLevel, courseOf, enrol, openArticle, shelf } from "./library-world.ts";
import { test } from "./world.ts";

const nowhere = "'00000000-0000-4000-8000-000000000000'";

describe("rows of the library", () => {
  test("reference existing rows", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general");
    for (const [table, columns, values] of [
      ["articles", "subcategory_id, slug, title", `${nowhere}, 'x', 'x'`],
      ["articles", "subcategory_id, slug, title, author_id", `'${place}', 'x', 'x', ${nowhere}`],
      ["courses", "subcategory_id, slug, title", `${nowhere}, 'x', 'x'`],
      ["courses", "subcategory_id, slug, title, mentor_id", `'${place}', 'x', 'x', ${nowhere}`],
      ["course_modules", "course_id, slug, title, module_order", `${nowhere}, 'x', 'x', 1`],
      ["article_opens", "user_id, article_id, last_opened_on", `'${member}', ${nowhere}, now()`],
      ["article_reads", "user_id, article_id", `'${member}', ${nowhere}`],
      ["course_enrollments", "user_id, course_id", `'${member}', ${nowhere}`],
      ["module_completions", "user_id, module_id", `'${member}', ${nowhere}`],
    ]) {
      const sql = `insert into public.${table} (${columns}) values (${values})`;
      await world.refused("owner", "23503", sql);
    }
    await article(world, place);
    await world.refused("owner", "23503", `delete from public.subcategories where id = '${place}'`);
  });

  test("are unique", async ({ world }) => {
    const member = await atLevel(world, 2);
    const place = await shelf(world, "general", { slug: "once" });
    const text = await article(world, place, { slug: "once" });
    const course = await courseOf(world, place, 1);
    await openArticle(world, member, text);
    await enrol(world, member, course.id);
    for (const [table, columns, values] of [
      ["subcategories", "main_category, slug, name", "'general', 'once', 'x'"],
      ["articles", "subcategory_id, slug, title", `'${place}', 'once', 'x'`],
      ["article_opens", "user_id, article_id, last_opened_on", `'${member}', '${text}', now()`],
      ["course_enrollments", "user_id, course_id", `'${member}', '${course.id}'`],
    ]) {
      const sql = `insert into public.${table} (${columns}) values (${values})`;
      await world.refused("owner", "23505", sql);
    }
    for (const [table, column] of [
      ["courses", "subcategory_id"],
      ["course_modules", "course_id"],
    ]) {
      const order = table === "course_modules" ? ", module_order" : "";
      const sql = `insert into public.${table} (${column}, slug, title${order})
        select ${column}, slug, title${order} from public.${table} limit 1`;
      await world.refused("owner", "23505", sql);
    }
  });

  test("are deleted with their course, and outlive their mentor", async ({ world }) => {
    const [member, mentor] = [await atLevel(world, 2), await world.member("mentor-access")];
    const place = await shelf(world, "general");
    const course = await courseOf(world, place, 1);
    const text = await article(world, place, { author_id: mentor });
    await world.run("owner", "update public.courses set mentor_id = $1 where id = $2", [
      mentor,
      course.id,
    ]);
    await enrol(world, member, course.id);
    const done = "insert into public.module_completions (user_id, module_id) values ($1, $2)";
    await world.run(member, done, [member, course.modules[0]]);
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    const author = "select author_id from public.articles where id = $1";
    expect(await world.one("owner", author, [text])).toEqual({ author_id: null });
    const mentorOf = "select mentor_id from public.courses where id = $1";
    expect(await world.one("owner", mentorOf, [course.id])).toEqual({ mentor_id: null });
    await world.run("owner", "delete from public.courses where id = $1", [course.id]);
    for (const table of ["course_enrollments", "module_completions"]) {
      const left = `select * from public.${table} where user_id = $1`;
      expect(await world.run("owner", left, [member]), table).toEqual([]);
    }
  });

  test("have known kinds in search and imports", async ({ world }) => {
    const document = `insert into private.search_documents values
      ('film', 'x', null, 1, true, null, 'x', 'x', 'x', '/x', '', '{}')`;
    await world.refused("owner", "23514", document);
    const source =
      "insert into private.content_imports (source, digest, changes) values ('other', 'x', 0)";
    await world.refused("owner", "23514", source);
  });
});
