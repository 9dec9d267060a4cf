import { describe, expect, test } from "vitest";
import { contentPictureAddress } from "../content-pictures.ts";
import { withStoredPictures } from "./picture-files.ts";
import { LibraryReader } from "./library-reader.ts";
import { sourcesOf, studioFiles } from "./studio-export.ts";

const shelf = {
  id: "s",
  main_category: "general",
  slug: "weeks",
  name: 'Weeks: "all" of them',
  description: "What a week holds.",
  color: "#0f766e",
  icon: "target",
  open_to_mentors: true,
  display_order: 3,
};
const work = {
  subcategory_id: "s",
  tags: [] as string[],
  content: "",
  difficulty_level: "beginner",
  price: 0,
  modules: [] as object[],
  is_featured: false,
  display_order: null as number | null,
  has_published_version: false,
  cover: null as string | null,
};
const article = {
  ...work,
  kind: "article",
  slug: "monday",
  title: "- Monday: yes, 'no' #1",
  excerpt: "One sentence about it.",
  tags: ["planning", "2024"],
  content: "\n---\n\nFirst.\n\n## Then\n\nSecond.\n\n",
};
const module = {
  slug: "begin",
  title: "null",
  content: "The lesson.\n\n## Exercise\n\nDo it.",
  minutes: 20,
  video_url: "https://player.vimeo.com/video/1",
};
const course = {
  ...work,
  kind: "course",
  slug: "study",
  title: "Study",
  excerpt: "Five hours.",
  difficulty_level: "advanced",
  price: 49.5,
  modules: [module, { ...module, slug: "go-on", minutes: null, video_url: null }],
};

async function exported(published: object[], drafts: object[] = []) {
  const { texts } = await studioFiles({ subcategories: [shelf], published, drafts });
  return texts;
}

async function readBack(files: ReadonlyMap<string, string>) {
  const reader = new LibraryReader(sourcesOf(files), () => true);
  const library = await reader.read();
  return { library, issues: reader.issues };
}

describe("an export of the studio", () => {
  test("is read back as what was written, whatever its texts hold", async () => {
    const files = await exported([
      { ...article, is_featured: true, display_order: 7 },
      { ...course, is_featured: false, display_order: 2 },
    ]);
    const { library, issues } = await readBack(files);
    expect(issues).toEqual([]);
    const { id: _, ...row } = shelf;
    expect(library).toEqual([
      {
        ...row,
        articles: [
          {
            slug: "monday",
            title: article.title,
            excerpt: article.excerpt,
            tags: article.tags,
            content: article.content.trim(),
            is_featured: true,
            display_order: 7,
            estimated_read_time: 1,
            cover: null,
          },
        ],
        courses: [
          expect.objectContaining({
            slug: "study",
            description: "Five hours.",
            difficulty_level: "advanced",
            price: 49.5,
            display_order: 2,
            is_featured: false,
            modules: [
              expect.objectContaining({
                slug: "begin",
                title: "null",
                module_order: 1,
                estimated_duration: 20,
                video_url: module.video_url,
                content: module.content,
              }),
              expect.objectContaining({ slug: "go-on", estimated_duration: 1, video_url: null }),
            ],
          }),
        ],
      },
    ]);
  });

  test("names pictures and covers as files beside the texts", async () => {
    const [one, two] = ["a", "b"].map(
      (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111-1.png`,
    );
    const cover = contentPictureAddress(one ?? "");
    const shown = `![Two boats](${contentPictureAddress(two ?? "")}#16x9)`;
    const content = `${shown}\n\n## Exercise\n\nDo it.`;
    const { texts, pictures } = await studioFiles({
      subcategories: [shelf],
      published: [{ ...article, cover, content: shown, display_order: 1 }],
      drafts: [
        { ...course, cover, modules: [{ ...module, content }] },
        { ...article, slug: "", cover: "https://elsewhere.example/x.png" },
      ],
    });
    expect([...pictures]).toEqual([
      [`general/weeks/pictures/${one}`, one],
      [`general/weeks/pictures/${two}`, two],
      [`general/weeks/courses/study/pictures/${one}`, one],
      [`general/weeks/courses/study/pictures/${two}`, two],
    ]);
    expect(texts.get("general/weeks/monday.md")).toContain(`![Two boats](pictures/${two}#16x9)`);
    const files = new Map([...texts, ...pictures]);
    const { library, issues } = await readBack(files);
    expect(issues).toEqual([]);
    const [back] = library;
    expect(back?.articles[0]).toMatchObject({ cover: `pictures/${one}` });
    expect(back?.courses[0]).toMatchObject({ cover: `pictures/${one}` });
    const stored = (path: string) => ({ name: path.replace("pictures/", ""), size: null });
    expect(withStoredPictures(back?.courses[0]?.modules[0]?.content ?? "", stored)).toBe(content);
  });

  test("puts drafts without issues behind what is published", async () => {
    const files = await exported(
      [{ ...article, display_order: 7 }],
      [{ ...article, slug: "tuesday" }],
    );
    const { library, issues } = await readBack(files);
    expect(issues).toEqual([]);
    expect(library[0]?.articles.map((one) => [one.slug, one.display_order])).toEqual([
      ["monday", 7],
      ["tuesday", 8],
    ]);
  });

  test("keeps in a folder of its own what the library would not take", async () => {
    const files = await exported(
      [{ ...article, display_order: 1 }],
      [
        { ...article, has_published_version: true, content: "A change." },
        { ...article, slug: "bold", content: "Some <b>bold</b> words." },
        { ...article, slug: "../../evil" },
        { ...article, slug: "" },
        { ...article, subcategory_id: null },
        { ...course, modules: [] },
        { ...course, modules: [{ ...module, slug: "/etc/passwd" }] },
      ],
    );
    expect([...files.keys()].toSorted()).toEqual([
      "_unfinished/general/weeks/bold.md",
      "_unfinished/general/weeks/courses/study-2/01-module-1.md",
      "_unfinished/general/weeks/courses/study-2/_course.md",
      "_unfinished/general/weeks/courses/study/_course.md",
      "_unfinished/general/weeks/monday.md",
      "_unfinished/general/weeks/untitled-2.md",
      "_unfinished/general/weeks/untitled.md",
      "_unfinished/monday.md",
      "general/weeks/_subcategory.md",
      "general/weeks/monday.md",
    ]);
    expect((await readBack(files)).issues).toEqual([]);
    expect(files.get("_unfinished/general/weeks/monday.md")).toContain("A change.");
  });
});
