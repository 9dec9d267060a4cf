import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { markdownBoundIssue } from "../../web/src/domain/markdown-bounds.ts";
import { article, course, shelf } from "./library-world.ts";
import {
  articleFields,
  courseFields,
  createDraft,
  draftModule,
  saveDraft,
} from "./studio-world.ts";
import { test, type World } from "./world.ts";

const issueOf = async (world: World, text: string) =>
  (await world.one("owner", "select private.markdown_issue($1) as issue", [text]))["issue"];

const wide = (columns: number, rows: number) =>
  `${"|a".repeat(columns)}\n${"|-".repeat(columns)}\n${"|\n".repeat(rows)}`;

/** Texts that cost their readers seconds or more, and the line that is named. */
const heavy: readonly (readonly [string, string, number])[] = [
  ["bold without an end", `Fine.\n\n${"**a".repeat(3000)}`, 3],
  ["mixed emphasis", "*a_".repeat(1200), 1],
  ["closing brackets over lines", `a\n${`${"]".repeat(50)}\n`.repeat(41)}`, 2],
  ["unfinished HTML", `a\r\n\r\n${"a<!A".repeat(2001)}`, 3],
  ["ticks", "`a``".repeat(700), 1],
  ["a paragraph that seems to end", "**a\n    >\n".repeat(1001), 1],
  ["many heavy paragraphs", `${"*".repeat(1990)}\n\n`.repeat(7), 13],
  ["quotes in quotes", `${"> ".repeat(21)}a`, 1],
  ["quotes without spaces", `a\n\n${">".repeat(5000)}a`, 3],
  ["lists in lists on a line", `${"- ".repeat(1000)}a`, 1],
  ["numbered lists in lists", `${"1)  ".repeat(21)}a`, 1],
  ["lists in lists by spaces", `- a\n${" ".repeat(42)}- a`, 2],
  ["lists in lists by tabs", `- a\n${"\t".repeat(11)}- a`, 2],
  ["wide numbers on a line", `${"123456789) ".repeat(21)}a`, 1],
  ["lists in lists within a quote", `> - a\n${">".padEnd(41)}- a`, 2],
  ["quotes in a footnote", `Fine[^a].\n\n[^a]: ${"> ".repeat(20)}a`, 3],
  ["lists in a footnote of a long name", `[^${"a".repeat(999)}]: ${"- ".repeat(20)}a`, 1],
  ["footnotes in a footnote", "[^a-\\]]: ".repeat(21), 1],
  ["footnotes in footnotes by spaces", `[^a]: b\n${" ".repeat(40)}[^b]: c`, 2],
  ["footnotes in footnotes by tabs", `[^a]: b\n${"\t".repeat(10)}[^b]: c`, 2],
  ["lists on every line", `${"- ".repeat(12)}a\n`.repeat(260), 251],
  ["lines", "a\n".repeat(6000), 5001],
  ["a wide table", wide(200, 50), 1],
  ["a table below a paragraph", `a\n\n${wide(4, 2500)}`, 3],
  ["many tables", `${wide(50, 48)}\n`.repeat(5), 154],
];

/** What people write. */
const honest: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a long text", "Some **bold** words, a [link](https://a.test/b) and `code`.\n\n".repeat(600)],
  ["a long list", "- **Term**: [text](https://a.test/b)\n".repeat(200)],
  ["deep lists", "- a\n    - b\n        - c\n            - d\n                - e"],
  [
    "footnotes",
    "A[^well-known.name-of-1984], b.\n\n[^well-known.name-of-1984]: - c\n\n    - d\n\n".repeat(300),
  ],
  ["deep lists in quotes", "> - a\n>     - b\n>         - c\n>\n> 1. d"],
  ["a large table", wide(10, 800)],
  ["code", `~~~\n${"    const a = b[c] * d;\n".repeat(300)}~~~`],
  ["one long word", "a.".repeat(100_000)],
  ["other letters", "你好，世界。".repeat(10_000)],
];

describe("a text with more Markdown than can be shown in a moment", () => {
  test.for(heavy)("is named by its line: %s", async ([, text, line], { world }) => {
    expect(await issueOf(world, text)).toEqual({ line, message: expect.any(String) as string });
    expect(await issueOf(world, text)).toEqual(markdownBoundIssue(text));
  });

  test.for(honest)("is not %s", async ([, text], { world }) => {
    expect(await issueOf(world, text)).toBeNull();
    expect(markdownBoundIssue(text)).toBeNull();
  });

  test("is none of the shipped library", async ({ world }) => {
    const folder = join(import.meta.dirname, "../../supabase/seed/content");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md"),
    );
    expect(files.length).toBeGreaterThan(200);
    const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
    const found = await world.run(
      "owner",
      "select t from unnest($1::text[]) t where private.markdown_issue(t) is not null",
      [texts],
    );
    expect(found).toEqual([]);
    expect(texts.filter((text) => markdownBoundIssue(text) !== null)).toEqual([]);
  });

  test("is looked at in time that grows with its length", async ({ world }) => {
    const shapes = [
      "*a_",
      "]",
      "> ",
      "- ",
      "1. ",
      "|a",
      " ",
      "\t",
      "\n",
      ">\n",
      "[^a]: ",
      "[^a",
      "[^\\",
      "- \n",
      "|-\n",
      "1",
      "> > -",
    ];
    // The square of the length takes minutes.
    await world.run("owner", "set local statement_timeout = '60s'");
    await world.run(
      "owner",
      "select private.markdown_issue(left(repeat(t, 204800), 204800)) from unnest($1::text[]) t",
      [shapes],
    );
    await world.run("owner", "set local statement_timeout = 0");
  });
});

describe("FF660 and the line", () => {
  const bomb = `Fine.\n\n${"**a".repeat(3000)}`;
  const refusal = {
    code: "FF660",
    details: "3",
    message:
      "Line 3: This paragraph has over 2,000 of the signs * _ ~ [ ] < & `. Divide it with empty lines.",
  };

  test("answer a draft that is created, saved or imported, of which nothing is kept", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const place = await shelf(world, "general");
    const fields = articleFields(place, { content: bomb });
    const drafts = async () => await world.run(mentor, "select version from public.drafts");
    await expect(createDraft(world, mentor, "article", fields)).rejects.toMatchObject({
      code: "FF660",
      message: refusal.message,
      detail: "3",
    });
    await expect(
      world.one(mentor, "select public.import_draft('article', $1, false)", [fields]),
    ).rejects.toMatchObject({ code: "FF660" });
    expect(await drafts()).toEqual([]);
    const draft = await createDraft(world, mentor, "article", articleFields(place));
    await expect(world.one(mentor, saveDraft, [draft, 1, fields])).rejects.toMatchObject({
      code: "FF660",
    });
    expect(await drafts()).toEqual([{ version: 1 }]);
  });

  test("name the lesson of a course", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const modules = [draftModule("begin"), draftModule("go-on", { content: bomb })];
    const fields = courseFields(await shelf(world, "general"), { modules });
    await expect(createDraft(world, mentor, "course", fields)).rejects.toMatchObject({
      code: "FF660",
      message: refusal.message.replace("Line", "Lesson 2, line"),
    });
  });

  test("answer imports of the operator into the library", async ({ world }) => {
    const place = await shelf(world, "general");
    await expect(article(world, place, { content: bomb })).rejects.toMatchObject({ code: "FF660" });
    const { id } = (await world.one("owner", "select $1::uuid as id", [
      await course(world, place),
    ])) as { id: string };
    await expect(
      world.run(
        "owner",
        `insert into public.course_modules (course_id, slug, title, content, module_order, estimated_duration)
         values ($1, 'one', 'One', $2, 1, 5)`,
        [id, bomb],
      ),
    ).rejects.toMatchObject({ code: "FF660" });
  });
});
