import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { BillingFixture } from "./billing.ts";

/** Runs one statement as the owner of the database. */
type Sql = (text: string, values: unknown[]) => Promise<pg.QueryResultRow[]>;

/** A course on sale, with its lessons in order; the first one is free to read. */
export interface OfferedCourse {
  readonly id: string;
  readonly slug: string;
  readonly modules: readonly string[];
}

/** Writes a course of three lessons for a mentor, who has a membership, and puts it on sale unless told otherwise. */
export async function offerCourse(
  sql: Sql,
  mentor: string,
  { price = 40, title = "Letters That Get Answers", isOnSale = true } = {},
): Promise<OfferedCourse> {
  await sql(
    `update public.profiles set onboarding_complete = true, role = 'mentor', first_name = 'Ruth', last_name = 'Okafor' where id = $1`,
    [mentor],
  );
  const slug = `letters-${randomUUID()}`;
  // A database without the library has no subcategory yet.
  const [made] = await sql(
    `with known as (
       select s.id from public.subcategories s where s.main_category = 'business' order by s.slug limit 1
     ), added as (
       insert into public.subcategories (main_category, slug, name)
       select 'business', $1, 'Letters' where not exists (select from known) returning id
     )
     insert into public.courses (subcategory_id, slug, title, description, mentor_id, price, is_published, estimated_duration)
     select s.id, $1, $2, 'How to write so that people write back.', $3, $4, true, 60
     from (select id from known union all select id from added) s returning id`,
    [slug, title, mentor, price],
  );
  const id = String(made?.["id"]);
  const modules: string[] = [];
  for (const [at, name] of [
    "Begin With the Reader",
    "One Question a Letter",
    "Send It",
  ].entries()) {
    const [module] = await sql(
      `insert into public.course_modules (course_id, slug, title, content, module_order, estimated_duration)
       values ($1, $2, $3, $4, $5, 20) returning id`,
      [id, `lesson-${at + 1}`, name, `Text of “${name}”.`, at + 1],
    );
    modules.push(String(module?.["id"]));
  }
  if (!isOnSale) return { id, slug, modules };
  await sql("select private.ensure_affiliate($1)", [mentor]);
  await sql(
    `insert into private.course_offers (course_id, slug, outcomes, free_module_id, is_on_sale)
     values ($1, $2, array['Write letters that are answered', 'Ask one thing at a time'], $3, true)`,
    [id, slug, modules[0]],
  );
  return { id, slug, modules };
}

/** Slug of a course on sale; made when there is none. */
export async function offeredCourseSlug(billing: BillingFixture): Promise<string> {
  const sql: Sql = async (text, values) => await billing.sql(text, values);
  const [known] = await sql("select slug from private.open_course_offers limit 1", []);
  if (known) return String(known["slug"]);
  const { ada: mentor } = await billing.member();
  return (await offerCourse(sql, mentor.id)).slug;
}
