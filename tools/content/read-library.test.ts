import { describe, expect, test } from "vitest";
import { CATEGORIES, describeFault } from "./library.ts";
import { countWords } from "./markdown.ts";
import { readLibrary } from "./read-library.ts";
import { SHIPPED_LIBRARY } from "./shipped.ts";
import { but, faultsOf, SOUND, withLibrary } from "./sound-library.ts";

const ARTICLE = "general/learning/close-the-book.md";
const COURSE = "general/learning/courses/study/_course.md";
const SHELF = "general/learning/_subcategory.md";

describe("a sound library", () => {
  test("is read with nothing lost", async () => {
    await withLibrary({}, async (folder) => {
      const { library, faults } = await readLibrary(folder);
      expect(faults).toEqual([]);
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
    const body = (words: number) => but(ARTICLE, "The first paragraph.", "word ".repeat(words));
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

  test("may quote markup in code, be saved with a byte order mark and end lines as Windows does", async () => {
    const quoted = but(
      ARTICLE,
      "The first",
      "`<b>` and\n\n```html\n<script>1</script>\n```\n\nThe first",
    );
    expect(await faultsOf(quoted)).toEqual([]);
    const text = `\uFEFF${(SOUND[ARTICLE] ?? "").replaceAll("\n", "\r\n")}`;
    expect(await faultsOf({ [ARTICLE]: text })).toEqual([]);
  });
});

describe("a fault", () => {
  test("is told for a slug that stands twice in a category, and not for one in two categories", async () => {
    const twice = {
      "general/thinking/_subcategory.md": SOUND[SHELF] ?? "",
      "general/thinking/close-the-book.md": SOUND[ARTICLE] ?? "",
    };
    expect(await faultsOf(twice)).toEqual([
      "general/thinking/close-the-book.md:1: The slug `close-the-book` is taken by `learning/close-the-book` in this category.",
    ]);
    expect(await faultsOf({ "wealth/saving/close-the-book.md": SOUND[ARTICLE] ?? "" })).toEqual([]);
  });

  test("does not hide the others", async () => {
    const faults = await faultsOf({
      ...but(ARTICLE, "order: 1", "order: x\nmore: 1"),
      ...but(COURSE, "beginner", "easy"),
      "notes.txt": "x",
    });
    expect(faults).toHaveLength(4);
  });

  test("is told of a folder that is not there, or is empty", async () => {
    expect((await readLibrary("/no/such/folder")).faults).toMatchObject([
      { message: "There is no such folder." },
    ]);
    const nothing = Object.fromEntries(Object.keys(SOUND).map((path) => [path, null]));
    expect(await faultsOf(nothing)).toEqual([expect.stringContaining("There is no library here")]);
  });

  test("is told of a file that is not text", async () => {
    const bytes = Buffer.from([0x2d, 0xff, 0xfe]);
    const faults = await faultsOf({ [ARTICLE]: bytes as unknown as string });
    expect(faults).toEqual([`${ARTICLE}:1: The file is not UTF-8 text.`]);
  });
});

describe("the shipped library", () => {
  test("is sound", async () => {
    const { library, faults } = await readLibrary(SHIPPED_LIBRARY);
    expect(faults.map(describeFault)).toEqual([]);
    for (const shelf of library) {
      for (const { slug, content } of shelf.articles) {
        const words = countWords(content);
        expect(words, slug).toBeGreaterThanOrEqual(350);
        expect(words, slug).toBeLessThanOrEqual(900);
      }
      for (const { slug, modules } of shelf.courses) {
        expect(modules.length, slug).toBeGreaterThanOrEqual(4);
        expect(modules.length, slug).toBeLessThanOrEqual(6);
      }
    }
  });

  test.each(CATEGORIES)("has enough of everything in %s", async (category) => {
    const { library } = await readLibrary(SHIPPED_LIBRARY);
    const shelves = library.filter((shelf) => shelf.main_category === category);
    expect(shelves.length).toBeGreaterThanOrEqual(5);
    expect(shelves.flatMap((shelf) => shelf.articles).length).toBeGreaterThanOrEqual(27);
    expect(shelves.flatMap((shelf) => shelf.courses).length).toBeGreaterThanOrEqual(6);
  });
});
