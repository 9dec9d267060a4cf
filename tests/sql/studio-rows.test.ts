import { expect } from "vitest";
import { planImport } from "../../tools/content/plan.ts";
import { readLibrary } from "../../tools/content/read-library.ts";
import { libraryTables, readStoredLibrary, type Db } from "../../tools/content/stored-library.ts";
import { withLibrary } from "../../tools/content/valid-library.ts";
import { shelf } from "./library-world.ts";
import { articleFields, courseFields, createDraft, submitDraft } from "./studio-world.ts";
import { test } from "./world.ts";

const place = "general/from-the-studio";
const text = `\n${"Ünïcode wörds, numbers 42 and — dashes – count. ".repeat(60)}\n\n## A heading\n\n| a | b |\n| - | - |\n\n> [!TIP]\n> Keep it **short**.\n`;
const lesson = "The lesson.\n\n## Exercise\n\nDo it.\n";
const files = {
  [`${place}/_subcategory.md`]:
    '---\nname: A shelf\ndescription: x\ncolor: "#64748b"\nicon: book-open\norder: 1\n---\n',
  [`${place}/a-plan-for-monday.md`]: `---\ntitle: A Plan for Monday\nexcerpt: One sentence about it.\ntags: [planning, weeks]\norder: 1\n---\n${text}`,
  [`${place}/courses/from-the-studio/_course.md`]:
    "---\ntitle: Study\ndescription: Five hours well spent.\ndifficulty: intermediate\nprice: 49.50\norder: 1\n---\n",
  [`${place}/courses/from-the-studio/01-begin.md`]: `---\ntitle: begin\nminutes: 20\n---\n${lesson}`,
  [`${place}/courses/from-the-studio/02-go-on.md`]: `---\ntitle: go-on\nminutes: 20\nvideo: https://player.vimeo.com/video/1\n---\n${lesson}`,
};

test("an import of what the studio published finds nothing to change", async ({ world, owner }) => {
  const admin = await world.admin();
  const row = { slug: "from-the-studio", description: "x", display_order: 1 };
  const subcategory = await shelf(world, "general", row);
  const module = (slug: string, video_url: string | null) => ({
    slug,
    title: slug,
    content: lesson,
    minutes: 20,
    video_url,
  });
  const modules = [module("begin", null), module("go-on", "https://player.vimeo.com/video/1")];
  for (const [kind, fields] of [
    ["article", articleFields(subcategory, { content: text })],
    ["course", courseFields(subcategory, { slug: "from-the-studio", modules })],
  ] as const) {
    const draft = await createDraft(world, admin, kind, fields);
    expect(await world.one(admin, submitDraft, [draft, 1])).toEqual({ status: "published" });
  }
  // A transaction of the test, which the importer's own pool would not see.
  const stored = await readStoredLibrary(owner as unknown as Db);
  for (const table of libraryTables) {
    stored[table] = stored[table]
      .filter(({ key }) => key.startsWith(place))
      .map((one) => ({ ...one, isForeign: false }));
  }
  await withLibrary(files, async (folder) => {
    const { library, issues } = await readLibrary(folder);
    expect(issues).toEqual([]);
    const here = library.filter(({ slug }) => slug === "from-the-studio");
    expect(stored.course_modules).toHaveLength(2);
    expect(planImport(here, stored)).toEqual({ changes: [], kept: [], foreign: [] });
  });
});
