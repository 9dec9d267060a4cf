import { expect, test } from "vitest";
import { but, faultsOf, SOUND, type Files } from "./sound-library.ts";

const ARTICLE = "general/learning/close-the-book.md";
const COURSE = "general/learning/courses/study/_course.md";
const SHELF = "general/learning/_subcategory.md";
const FIRST = "general/learning/courses/study/01-begin.md";
const SECOND = "general/learning/courses/study/02-go-on.md";

/** What is changed, and the one fault that must be told. */
const BROKEN: [string, () => Files, string][] = [
  [
    "no front matter",
    () => ({ [ARTICLE]: "Text" }),
    `${ARTICLE}:1: The file must begin with front matter`,
  ],
  [
    "an open end",
    () => ({ [ARTICLE]: "---\ntitle: A\n\nText" }),
    `${ARTICLE}:1: The front matter has no closing line`,
  ],
  [
    "broken YAML",
    () => but(ARTICLE, "excerpt: One", "excerpt: [One"),
    `${ARTICLE}:4: The front matter is broken`,
  ],
  [
    "a field twice",
    () => but(ARTICLE, "order: 1", "order: 1\ntitle: B"),
    `${ARTICLE}:6: The front matter is broken: Map keys must be unique`,
  ],
  [
    "a list for fields",
    () => ({ [ARTICLE]: "---\n- a\n---\nText" }),
    `${ARTICLE}:1: The front matter must be a list of fields`,
  ],
  [
    "references",
    () =>
      but(
        ARTICLE,
        "title: Close the Book\nexcerpt: One sentence about it.",
        "title: &a Close\nexcerpt: *a",
      ),
    `${ARTICLE}:3: The front matter is broken: references`,
  ],
  [
    "a missing title",
    () => but(ARTICLE, "title: Close the Book\n", ""),
    `${ARTICLE}:1: The field \`title\` is missing.`,
  ],
  [
    "an empty excerpt",
    () => but(ARTICLE, "excerpt: One sentence about it.", "excerpt:"),
    `${ARTICLE}:3: The field \`excerpt\` is missing.`,
  ],
  [
    "a long title",
    () => but(ARTICLE, "Close the Book", "x".repeat(91)),
    `${ARTICLE}:2: \`title\` has 91 characters; at most 90 fit.`,
  ],
  [
    "a title of numbers",
    () => but(ARTICLE, "Close the Book", "1984"),
    `${ARTICLE}:2: \`title\` must be text.`,
  ],
  [
    "a title of two lines",
    () => but(ARTICLE, "Close the Book", '"Close\\nthe Book"'),
    `${ARTICLE}:2: \`title\` must be a single line.`,
  ],
  [
    "a misspelt field",
    () => but(ARTICLE, "order: 1", "order: 1\nfeatred: true"),
    `${ARTICLE}:6: There is no field \`featred\` here.`,
  ],
  [
    "one tag",
    () => but(ARTICLE, "[memory, study]", "[memory]"),
    `${ARTICLE}:4: \`tags\` must be a list of 2 to 5`,
  ],
  [
    "a capital tag",
    () => but(ARTICLE, "[memory, study]", "[memory, Study]"),
    `${ARTICLE}:4: \`tags\` must be lower-case words`,
  ],
  [
    "a tag twice",
    () => but(ARTICLE, "[memory, study]", "[study, study]"),
    `${ARTICLE}:4: \`tags\` names a tag twice.`,
  ],
  [
    "a worded order",
    () => but(ARTICLE, "order: 1", "order: first"),
    `${ARTICLE}:5: \`order\` must be a whole number`,
  ],
  [
    "a worded flag",
    () => but(COURSE, "featured: true", "featured: perhaps"),
    `${COURSE}:6: \`featured\` must be true or false.`,
  ],
  [
    "a colour by name",
    () => but(SHELF, '"#6D4BC3"', "purple"),
    `${SHELF}:4: \`color\` must be a colour such as`,
  ],
  [
    "an unknown icon",
    () => but(SHELF, "icon: brain", "icon: brian"),
    `${SHELF}:5: \`icon\` must be the name of a Lucide icon`,
  ],
  [
    "an icon with a path",
    () => but(SHELF, "icon: brain", "icon: ../brain"),
    `${SHELF}:5: \`icon\` must be the name of a Lucide icon`,
  ],
  [
    "text on a shelf",
    () => but(SHELF, /$/, "\nHello\n"),
    `${SHELF}:9: Nothing may follow the front matter`,
  ],
  [
    "text in a course",
    () => but(COURSE, /$/, "Hello\n"),
    `${COURSE}:9: Nothing may follow the front matter`,
  ],
  [
    "no text at all",
    () => but(ARTICLE, /The first[^]*/, "\n"),
    `${ARTICLE}:7: There is no text after the front matter.`,
  ],
  [
    "an unknown difficulty",
    () => but(COURSE, "beginner", "easy"),
    `${COURSE}:4: \`difficulty\` must be beginner`,
  ],
  [
    "a negative price",
    () => but(COURSE, "49.50", "-1"),
    `${COURSE}:5: \`price\` must be an amount in pounds`,
  ],
  [
    "a price in fractions of pence",
    () => but(COURSE, "49.50", "49.505"),
    `${COURSE}:5: \`price\` must be an amount in pounds`,
  ],
  [
    "no minutes",
    () => but(FIRST, "minutes: 20\n", ""),
    `${FIRST}:1: The field \`minutes\` is missing.`,
  ],
  [
    "no exercise",
    () => but(FIRST, "## Exercise", "## Homework"),
    `${FIRST}:5: The lesson has no \`## Exercise\`.`,
  ],
  [
    "a video from anywhere",
    () => but(FIRST, "minutes: 20", "minutes: 20\nvideo: https://evil.example/embed/x"),
    `${FIRST}:4: \`video\` must be`,
  ],
  [
    "a video without a protocol",
    () => but(FIRST, "minutes: 20", "minutes: 20\nvideo: //evil.example/x.mp4"),
    `${FIRST}:4: \`video\` must be`,
  ],
  [
    "raw HTML",
    () => but(ARTICLE, "The first", "<b>The</b>\n\nfirst"),
    `${ARTICLE}:7: Raw HTML is not allowed`,
  ],
  [
    "a comment",
    () => but(ARTICLE, "The first", "<!-- x -->\n\nThe first"),
    `${ARTICLE}:7: Raw HTML is not allowed`,
  ],
  [
    "a script link",
    () => but(ARTICLE, "https://example.org/paper", "javascript:alert(1)"),
    `${ARTICLE}:11: The link to \`javascript:alert(1)\` is not allowed`,
  ],
  [
    "a plain http link",
    () => but(ARTICLE, "https://", "http://"),
    `${ARTICLE}:11: The link to \`http://example.org/paper\` is not allowed`,
  ],
  [
    "a bare address",
    () => but(ARTICLE, "The first", "See www.example.org for the first"),
    `${ARTICLE}:7: The link to \`http://www.example.org\` is not allowed`,
  ],
  [
    "a link with a password",
    () => but(ARTICLE, "https://", "https://me:secret@"),
    `${ARTICLE}:11: The link to`,
  ],
  [
    "a link into this machine",
    () => but(ARTICLE, "https://example.org/paper", "https://localhost/x"),
    `${ARTICLE}:11: The link to`,
  ],
  [
    "a link defined elsewhere",
    () => but(ARTICLE, "The first", "[The][x] first\n\n[x]: data:text/html,1\n\n"),
    `${ARTICLE}:9: The link to \`data:text/html,1\` is not allowed`,
  ],
  [
    "an image",
    () => but(ARTICLE, "The first", "![A](https://example.org/a.png) The first"),
    `${ARTICLE}:7: Images are not allowed`,
  ],
  ["a second title", () => but(ARTICLE, "## A", "# A"), `${ARTICLE}:9: Headings begin at \`##\``],
  [
    "a left-out level",
    () => but(ARTICLE, "## A", "#### A"),
    `${ARTICLE}:9: A heading of level 4 follows one of level 1`,
  ],
  [
    "an oversized file",
    () => but(ARTICLE, "The first", "x".repeat(200 * 1024)),
    `${ARTICLE}:1: The file has 201 KB; at most 200 KB are allowed.`,
  ],
  [
    "an unknown category",
    () => ({ "health/x/_subcategory.md": SOUND[SHELF] ?? "" }),
    "health:1: `health` is not a category",
  ],
  ["a stray file", () => ({ "notes.txt": "x" }), "notes.txt:1: `notes.txt` does not belong here"],
  [
    "a stray file in a category",
    () => ({ "general/notes.md": "x" }),
    "general/notes.md:1: Only folders",
  ],
  [
    "a stray picture",
    () => ({ "general/learning/a.png": "x" }),
    "general/learning/a.png:1: Only articles",
  ],
  [
    "a stray file among courses",
    () => ({ "general/learning/courses/a.md": "x" }),
    "general/learning/courses/a.md:1: A course is a folder",
  ],
  [
    "a shelf without a sheet",
    () => ({ [SHELF]: null }),
    "general/learning:1: The subcategory has no file `_subcategory.md`.",
  ],
  [
    "a course without a sheet",
    () => ({ [COURSE]: null }),
    "general/learning/courses/study:1: The course has no file `_course.md`.",
  ],
  [
    "a course without modules",
    () => ({ [FIRST]: null, [SECOND]: null }),
    `${COURSE}:1: The course has no modules.`,
  ],
  [
    "a gap in the modules",
    () => ({ [FIRST]: null }),
    `${SECOND}:1: Module 02 stands where 01 is expected`,
  ],
  [
    "a module without a number",
    () => ({ "general/learning/courses/study/more.md": "x" }),
    "general/learning/courses/study/more.md:1: A module is a file called like",
  ],
  [
    "a slug with capitals",
    () => ({ "general/learning/Shout.md": SOUND[ARTICLE] ?? "" }),
    "general/learning/Shout.md:1: `Shout` cannot be part of an address",
  ],
  [
    "a module's slug twice",
    () => ({ "general/learning/courses/study/03-begin.md": SOUND[FIRST] ?? "" }),
    "general/learning/courses/study/03-begin.md:1: Another module of this course is called `begin` already.",
  ],
];

test.each(BROKEN)(
  "a fault is named with its file and line: %s",
  async (_what, changes, expected) => {
    const faults = await faultsOf(changes());
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  },
);
