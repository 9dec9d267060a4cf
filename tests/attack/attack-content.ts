import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { AttackAccounts } from "./attack-accounts.ts";
import { textsInsideBounds } from "./heavy-texts.ts";

/** What hostile mentors have written before an attack. */
export interface AttackContent {
  /** Addresses of courses on sale, whose free lessons are as heavy as they may be. */
  salePages: readonly string[];
  /** Drafts of each mentor, in the order of `mentors`, as heavy as they may be. */
  drafts: readonly (readonly string[])[];
  /** An ordinary draft, by a mentor who means no harm. */
  honestDraft: string;
  /** Where drafts may be published. */
  shelf: string;
}

const draftsEach = 8;

/** Fields of an article that may be published. */
export function articleOf(shelf: string, slug: string, content: string) {
  return {
    title: `About ${slug}`,
    subcategory_id: shelf,
    slug,
    excerpt: "One sentence about it.",
    tags: ["weeks", "work"],
    content,
  };
}

function checked<T>({ data, error }: { data: T; error: { message: string } | null }): T {
  if (error) throw new Error(error.message);
  return data;
}

async function oneSale(
  operator: SupabaseClient,
  mentor: { id: string; client: SupabaseClient },
  shelf: string,
  slug: string,
  content: string,
): Promise<string> {
  const course = checked(
    await operator
      .from("courses")
      .insert({
        subcategory_id: shelf,
        slug,
        title: `About ${slug}`,
        mentor_id: mentor.id,
        is_published: true,
        price: 49,
      })
      .select("id")
      .single<{ id: string }>(),
  ) as { id: string };
  const lesson = checked(
    await operator
      .from("course_modules")
      .insert({ course_id: course.id, slug: "one", title: "One", content, module_order: 1 })
      .select("id")
      .single<{ id: string }>(),
  ) as { id: string };
  checked(
    await mentor.client.rpc("save_course_offer", {
      course: course.id,
      slug,
      outcomes: ["To wait"],
      free_module: lesson.id,
      is_on_sale: true,
    }),
  );
  return slug;
}

/** Puts courses on sale and imports drafts, all within the bounds. */
export async function createAttackContent(
  url: string,
  operator: SupabaseClient,
  { anonKey, mentors: accounts }: AttackAccounts,
): Promise<AttackContent> {
  const mentors = accounts.map(({ id, token }) => ({
    id,
    client: createClient(url, anonKey, { accessToken: async () => Promise.resolve(token) }),
  }));
  const [hostile, ...others] = mentors;
  const honest = others.at(-1);
  if (hostile === undefined || honest === undefined) throw new Error("there are no mentors");
  const { id: shelf } = checked(
    await operator
      .from("subcategories")
      .insert({
        main_category: "general",
        slug: "heavy",
        name: "Heavy",
        open_to_mentors: true,
      })
      .select("id")
      .single<{ id: string }>(),
  ) as { id: string };
  const draft = async (client: SupabaseClient, slug: string, content: string) => {
    const fields = articleOf(shelf, slug, content);
    const imported = checked(await client.rpc("import_draft", { kind: "article", fields }));
    return (imported as { draft_id: string }).draft_id;
  };
  const salePages: string[] = [];
  for (const [index, text] of textsInsideBounds.entries()) {
    salePages.push(await oneSale(operator, hostile, shelf, `heavy-${index}`, text));
  }
  const drafts: string[][] = [];
  for (const [place, { client }] of mentors.entries()) {
    const own: string[] = [];
    for (let index = 0; index < draftsEach; index += 1) {
      const text = textsInsideBounds[index % textsInsideBounds.length] ?? "";
      own.push(await draft(client, `heavy-${place}-${index}`, text));
    }
    drafts.push(own);
  }
  const honestDraft = await draft(honest.client, "an-honest-plan", "The first paragraph.");
  return { salePages, drafts, honestDraft, shelf };
}
