import { randomUUID } from "node:crypto";
import type { Category } from "../../web/src/domain/categories.ts";
import type { Row, World } from "./world.ts";

export type { Category };

/** Sets a member's level, as the level engine would. */
export async function atLevel(world: World, level: number): Promise<string> {
  const id = await world.member();
  await world.run("owner", "update public.user_levels set current_level = $2 where user_id = $1", [
    id,
    level,
  ]);
  return id;
}

async function added(world: World, table: string, row: Row): Promise<string> {
  const columns = Object.keys(row);
  const sql = `insert into public.${table} (${columns.join(", ")})
    values (${columns.map((_, at) => `$${at + 1}`).join(", ")}) returning id`;
  return String((await world.one("owner", sql, Object.values(row)))["id"]);
}

/** A new subcategory, without shipped content. */
export async function shelf(world: World, category: Category, row: Row = {}): Promise<string> {
  const slug = `shelf-${randomUUID()}`;
  return await added(world, "subcategories", {
    main_category: category,
    slug,
    name: "A shelf",
    ...row,
  });
}

export async function article(world: World, subcategory: string, row: Row = {}): Promise<string> {
  return await added(world, "articles", {
    subcategory_id: subcategory,
    slug: `article-${randomUUID()}`,
    title: "An article",
    excerpt: "About something",
    content: "A body",
    is_published: true,
    ...row,
  });
}

export async function course(world: World, subcategory: string, row: Row = {}): Promise<string> {
  return await added(world, "courses", {
    subcategory_id: subcategory,
    slug: `course-${randomUUID()}`,
    title: "A course",
    is_published: true,
    ...row,
  });
}

export async function courseModule(world: World, course: string, order: number, row: Row = {}) {
  return await added(world, "course_modules", {
    course_id: course,
    slug: `module-${randomUUID()}`,
    title: `Module ${order}`,
    content: "A lesson",
    module_order: order,
    ...row,
  });
}

/** A published course with so many modules. */
export async function courseOf(world: World, subcategory: string, modules: number) {
  const id = await course(world, subcategory);
  const ids: string[] = [];
  for (let order = 1; order <= modules; order += 1) ids.push(await courseModule(world, id, order));
  return { id, modules: ids };
}

/** Opens an article with the spec's call. @returns how many rows it touched. */
export async function openArticle(
  world: World,
  member: string,
  articleId: string,
): Promise<number> {
  const sql = "update public.articles set read_count = 999 where id = $1";
  return await world.count(member, sql, [articleId]);
}

export async function markRead(world: World, member: string, articleId: string): Promise<void> {
  const sql = "insert into public.article_reads (user_id, article_id) values ($1, $2)";
  await world.run(member, sql, [member, articleId]);
}

export async function enrol(world: World, member: string, courseId: string): Promise<void> {
  const sql = "insert into public.course_enrollments (user_id, course_id) values ($1, $2)";
  await world.run(member, sql, [member, courseId]);
}

export async function complete(world: World, member: string, moduleId: string): Promise<void> {
  const sql = "insert into public.module_completions (user_id, module_id) values ($1, $2)";
  await world.run(member, sql, [member, moduleId]);
}

export async function courseProgressOf(
  world: World,
  member: string,
  courseId: string,
): Promise<Row> {
  const sql = `select progress_percentage, completed_at is not null as completed
    from public.course_enrollments where user_id = $1 and course_id = $2`;
  return await world.one("owner", sql, [member, courseId]);
}
