import { describe, expect, test } from "vitest";
import { categories } from "../../web/src/domain/categories.ts";
import { describeIssue } from "../../web/src/domain/library-files/library.ts";
import { countWords } from "../../web/src/domain/reading-minutes.ts";
import { readLibrary } from "./read-library.ts";
import { shippedLibraryFolder } from "./shipped.ts";
import { withChange, issuesOf, validFiles, withLibrary } from "./valid-library.ts";

const articleFile = "general/learning/close-the-book.md";
const courseFile = "general/learning/courses/study/_course.md";
const shelfFile = "general/learning/_subcategory.md";

describe("a valid library", () => {
  test("is read completely", async () => {
    await withLibrary({}, async (folder) => {
      const { library, issues } = await readLibrary(folder);
      expect(issues).toEqual([]);
      expect(library.map((shelf) => `${shelf.main_category}/${shelf.slug}`)).toEqual([
        "general/learning",
        "wealth/saving",
      ]);
      const [learning] = library;
      expect(learning).toMatchObject({ name: "Learning", color: "#6d4bc3", icon: "brain" });
      expect(learning?.articles[0]).toMatchObject({
        slug: "close-the-book",
        tags: ["memory", "study"],
        is_featured: false,
        display_order: 1,
        estimated_read_time: 1,
      });
      expect(learning?.articles[0]?.content).toMatch(/^The first paragraph[^]*paper\)\.$/);
      expect(learning?.courses[0]).toMatchObject({ price: 49.5, is_featured: true });
      expect(learning?.courses[0]?.modules.map((module) => module.slug)).toEqual([
        "begin",
        "go-on",
      ]);
    });
  });

  test("counts 200 words a minute, rounded up", async () => {
    const body = (words: number) =>
      withChange(articleFile, "The first paragraph.", "word ".repeat(words));
    for (const [words, minutes] of [
      [195, 1],
      [196, 2],
      [396, 3],
    ] as const) {
      await withLibrary(body(words), async (folder) => {
        const { library } = await readLibrary(folder);
        expect(library[0]?.articles[0]?.estimated_read_time, String(words)).toBe(minutes);
      });
    }
  });

  test("may quote markup in code, begin with a byte order mark and have Windows line endings", async () => {
    const quoted = withChange(
      articleFile,
      "The first",
      "`<b>` and\n\n```html\n<script>1</script>\n```\n\nThe first",
    );
    expect(await issuesOf(quoted)).toEqual([]);
    const text = `\uFEFF${(validFiles[articleFile] ?? "").replaceAll("\n", "\r\n")}`;
    expect(await issuesOf({ [articleFile]: text })).toEqual([]);
  });
});

describe("an issue", () => {
  test("is reported for a slug used twice in one category, but not in two categories", async () => {
    const twice = {
      "general/thinking/_subcategory.md": validFiles[shelfFile] ?? "",
      "general/thinking/close-the-book.md": validFiles[articleFile] ?? "",
    };
    expect(await issuesOf(twice)).toEqual([
      "general/thinking/close-the-book.md:1: The slug `close-the-book` is taken by `learning/close-the-book` in this category.",
    ]);
    expect(
      await issuesOf({ "wealth/saving/close-the-book.md": validFiles[articleFile] ?? "" }),
    ).toEqual([]);
  });

  test("does not hide other issues", async () => {
    const issues = await issuesOf({
      ...withChange(articleFile, "order: 1", "order: x\nmore: 1"),
      ...withChange(courseFile, "beginner", "easy"),
      "notes.txt": "x",
    });
    expect(issues).toHaveLength(4);
  });

  test("is reported for a folder that is missing or empty", async () => {
    expect((await readLibrary("/no/such/folder")).issues).toMatchObject([
      { message: "There is no such folder." },
    ]);
    const nothing = Object.fromEntries(Object.keys(validFiles).map((path) => [path, null]));
    expect(await issuesOf(nothing)).toEqual([expect.stringContaining("There is no library here")]);
  });

  test("is reported for a file that is not text", async () => {
    const bytes = Buffer.from([0x2d, 0xff, 0xfe]);
    const issues = await issuesOf({ [articleFile]: bytes as unknown as string });
    expect(issues).toEqual([`${articleFile}:1: The file is not UTF-8 text.`]);
  });
});

describe("the shipped library", () => {
  test("has no issues", async () => {
    const { library, issues } = await readLibrary(shippedLibraryFolder);
    expect(issues.map(describeIssue)).toEqual([]);
    for (const shelf of library) {
      for (const { slug, content } of shelf.articles) {
        const words = countWords(content);
        expect(words, slug).toBeGreaterThanOrEqual(350);
        expect(words, slug).toBeLessThanOrEqual(900);
      }
      for (const { slug, modules } of shelf.courses) {
        expect(modules.length, slug).toBeGreaterThanOrEqual(4);
        expect(modules.length, slug).toBeLessThanOrEqual(8);
      }
    }
  });

  test("leaves blanks as dots, as underscores become bold text", async () => {
    const { library } = await readLibrary(shippedLibraryFolder);
    const texts = library.flatMap(({ articles, courses }) => [
      ...articles,
      ...courses.flatMap(({ modules }) => modules),
    ]);
    expect(texts.filter(({ content }) => content.includes("__")).map(({ slug }) => slug)).toEqual(
      [],
    );
  });

  test.each(categories)("has enough articles and courses in %s", async (category) => {
    const { library } = await readLibrary(shippedLibraryFolder);
    const shelves = library.filter((shelf) => shelf.main_category === category);
    expect(shelves.length).toBeGreaterThanOrEqual(5);
    expect(shelves.flatMap((shelf) => shelf.articles).length).toBeGreaterThanOrEqual(27);
    expect(shelves.flatMap((shelf) => shelf.courses).length).toBeGreaterThanOrEqual(6);
  });
});
