import { randomUUID } from "node:crypto";
import { runAsOwner, type Account } from "./accounts.ts";

/** The category of the database and its part of the address, by the level that opens it. */
export const libraryCategories = [
  { category: "general", segment: "knowledge", name: "Knowledge", level: 2 },
  { category: "business", segment: "business", name: "Business", level: 3 },
  { category: "wealth", segment: "wealth", name: "Wealth", level: 4 },
] as const;

/** Lifts an account to a level, as the level engine does when its requirements are met. */
export async function setAccountLevel(account: Account, level: number): Promise<void> {
  const unlocked = Array.from({ length: level + 1 }, (_, index) => index);
  await runAsOwner(
    "update public.user_levels set current_level = $2, unlocked_levels = $3 where user_id = $1",
    [account.id, level, unlocked],
  );
}

/** A subcategory of a test's own, so that tests side by side do not count each other's progress. */
export interface TestShelf {
  id: string;
  slug: string;
  name: string;
}

export async function makeShelf(category: string, slugWanted?: string): Promise<TestShelf> {
  const id = randomUUID();
  const slug = slugWanted ?? `shelf-${id.slice(0, 8)}`;
  const name = `Shelf ${id.slice(0, 8)}`;
  await runAsOwner(
    `insert into public.subcategories (id, main_category, slug, name, description, color, icon, display_order)
     values ($1, $2, $3, $4, 'What a test reads.', '#0f766e', 'target', 999)`,
    [id, category, slug, name],
  );
  return { id, slug, name };
}

/** Everything Markdown has, once. */
export const richText = `An opening with *weight*, **more weight**, \`code\` and [a link](https://example.org/).

## What it shows

- one
- two
  1. first
  2. second

- [x] done
- [ ] to do

> Somebody said so.

### A table

| Week | Hours | What was done in them |
| ---- | ----: | --------------------- |
| 1    |   3.5 | A beginning           |
| 2    |    12 | Nearly everything     |

\`\`\`
a line of code that is far too long for a narrow screen and has to scroll by itself, whatever happens to it
\`\`\`

---

A claim with its source.[^1]

[^1]: The source.
`;

const longText = Array.from(
  { length: 40 },
  (_, index) => `Paragraph ${index + 1}. A sentence that says something, and a second one.`,
).join("\n\n");

/** An article on a shelf; answers with its id. */
export async function addArticle(
  shelf: TestShelf,
  title: string,
  differs: { content?: string; featured?: boolean } = {},
): Promise<string> {
  const id = randomUUID();
  await runAsOwner(
    `insert into public.articles
       (id, subcategory_id, slug, title, excerpt, content, is_published, is_featured, estimated_read_time, tags, display_order)
     values ($1, $2, $3, $4, 'What it is about.', $5, true, $6, 4, '{one,two,three,four}',
       (select count(*) from public.articles where subcategory_id = $2))`,
    [id, shelf.id, `article-${id}`, title, differs.content ?? longText, differs.featured ?? false],
  );
  return id;
}

/** A course of some modules on a shelf; answers with its id. */
export async function addCourse(
  shelf: TestShelf,
  title: string,
  modules: readonly { title: string; content?: string; videoUrl?: string }[],
): Promise<string> {
  const id = randomUUID();
  await runAsOwner(
    `insert into public.courses
       (id, subcategory_id, slug, title, description, is_published, price, estimated_duration, difficulty_level)
     values ($1, $2, $3, $4, 'What it teaches.', true, 29, 60, 'intermediate')`,
    [id, shelf.id, `course-${id}`, title],
  );
  for (const [index, { title: lesson, content, videoUrl }] of modules.entries()) {
    await runAsOwner(
      `insert into public.course_modules (course_id, slug, title, content, module_order, video_url, estimated_duration)
       values ($1, $2, $3, $4, $5, $6, 20)`,
      [
        id,
        `module-${index + 1}`,
        lesson,
        content ?? `About ${lesson}.`,
        index + 1,
        videoUrl ?? null,
      ],
    );
  }
  return id;
}
