import type { Account } from "./accounts.ts";
import type { TestShelf } from "./library.ts";

/** The fields of an article that can be published. */
export function articleDraft(shelf: TestShelf, title: string, content: string) {
  return {
    title,
    subcategory_id: shelf.id,
    slug: `article-${shelf.slug}`,
    excerpt: "One sentence about it.",
    tags: ["planning", "weeks"],
    content,
  };
}

/** The fields of a course that can be published, with a lesson for each title. */
export function courseDraft(shelf: TestShelf, title: string, lessons: readonly string[]) {
  return {
    title,
    subcategory_id: shelf.id,
    slug: `course-${shelf.slug}`,
    excerpt: "One sentence about it.",
    difficulty_level: "intermediate",
    price: 29,
    modules: lessons.map((lesson, index) => ({
      slug: `lesson-${index + 1}`,
      title: lesson,
      content: `About ${lesson}.\n\n## Exercise\n\nDo it.`,
      minutes: 20,
    })),
  };
}

/** Calls a function of the database as a member. Throws what the database answers. */
async function call<Answer>(by: Account, name: string, values: object): Promise<Answer> {
  const { data, error } = await by.client.rpc(name, values);
  if (error) throw new Error(`${name}: ${error.message}`);
  return data as Answer;
}

/** Begins a draft with the call the studio makes; answers with its id. */
export async function makeDraft(
  mentor: Account,
  kind: "article" | "course",
  fields: object,
): Promise<string> {
  return await call<string>(mentor, "create_draft", { kind, fields });
}

/** Submits a draft of one version, which the administrator sends back with a comment. */
export async function sendBack(mentor: Account, admin: Account, draft_id: string): Promise<void> {
  await call(mentor, "submit_draft", { draft_id, expected_version: 1 });
  const comments = [{ quote: "", comment: "Say it in one sentence." }];
  await call(admin, "return_draft", { draft_id, expected_version: 1, comments });
}

/**
 * Writes and publishes a text with the calls that studio and console make: the administrator sends it back once. Answers with the
 * id of the article or course.
 */
export async function publishText(
  mentor: Account,
  admin: Account,
  kind: "article" | "course",
  fields: object,
): Promise<string> {
  const draft_id = await makeDraft(mentor, kind, fields);
  await sendBack(mentor, admin, draft_id);
  const better = { ...fields, excerpt: "What it is, in one sentence." };
  await call(mentor, "save_draft", { draft_id, expected_version: 1, fields: better });
  await call(mentor, "submit_draft", { draft_id, expected_version: 2 });
  await call(admin, "publish_draft", { draft_id, expected_version: 2 });
  const column = kind === "article" ? "article_id" : "course_id";
  const { data, error } = await mentor.client
    .from("drafts")
    .select(column)
    .eq("id", draft_id)
    .single<Record<string, string>>();
  if (error) throw new Error(error.message);
  return data[column] ?? "";
}
