import { shelf } from "./library-world.ts";
import type { Row, World } from "./world.ts";

export const saveDraft = "select public.save_draft($1, $2, $3) as version";
export const submitDraft = "select public.submit_draft($1, $2) as status";
export const publishDraft = "select public.publish_draft($1, $2) as status";
export const returnDraft = "select public.return_draft($1, $2, $3)";

/** The fields of an article that can be published. */
export function articleFields(subcategory_id: string, fields: Row = {}): string {
  return JSON.stringify({
    title: "A Plan for Monday",
    subcategory_id,
    slug: "a-plan-for-monday",
    excerpt: "One sentence about it.",
    tags: ["planning", "weeks"],
    content: "The first paragraph.\n\n## A heading\n\nThe second.",
    ...fields,
  });
}

export function draftModule(slug: string, fields: Row = {}): Row {
  return {
    slug,
    title: slug,
    content: "The lesson.\n\n## Exercise\n\nDo it.",
    minutes: 20,
    ...fields,
  };
}

/** The fields of a course that can be published. */
export function courseFields(subcategory_id: string, fields: Row = {}): string {
  return JSON.stringify({
    title: "Study",
    subcategory_id,
    slug: "study",
    excerpt: "Five hours well spent.",
    difficulty_level: "intermediate",
    price: 49.5,
    modules: [draftModule("begin"), draftModule("go-on")],
    ...fields,
  });
}

/** Publishes what is due, up to ten drafts, as the schedule does. */
export const runDue = `select count(*) filter (where public.publish_due_draft() = 'published')::int as published
  from generate_series(1, 10)`;

export async function createDraft(
  world: World,
  mentor: string,
  kind: string,
  fields: string,
): Promise<string> {
  const sql = "select public.create_draft($1, $2) as id";
  return String((await world.one(mentor, sql, [kind, fields]))["id"]);
}

/** A mentor, an administrator, and an article of the mentor that can be submitted. */
export async function draftedArticle(world: World) {
  const [mentor, admin] = [await world.member("mentor-access"), await world.admin()];
  const place = await shelf(world, "general");
  const draft = await createDraft(world, mentor, "article", articleFields(place));
  return { mentor, admin, place, draft };
}

export async function draftOf(world: World, draft: string): Promise<Row> {
  return await world.one("owner", "select * from public.drafts where id = $1", [draft]);
}
