import { expect, test } from "vitest";
import { withChange, issuesOf, validFiles, type Files } from "./valid-library.ts";

const articleFile = "general/learning/close-the-book.md";
const courseFile = "general/learning/courses/study/_course.md";
const shelfFile = "general/learning/_subcategory.md";
const firstModuleFile = "general/learning/courses/study/01-begin.md";
const secondModuleFile = "general/learning/courses/study/02-go-on.md";

/** A name, the change that makes the library invalid, and the one issue expected. */
const invalidLibraries: [string, () => Files, string][] = [
  [
    "no front matter",
    () => ({ [articleFile]: "Text" }),
    `${articleFile}:1: The file must begin with front matter`,
  ],
  [
    "an open end",
    () => ({ [articleFile]: "---\ntitle: A\n\nText" }),
    `${articleFile}:1: The front matter has no closing line`,
  ],
  [
    "broken YAML",
    () => withChange(articleFile, "excerpt: One", "excerpt: [One"),
    `${articleFile}:4: The front matter is broken`,
  ],
  [
    "a field twice",
    () => withChange(articleFile, "order: 1", "order: 1\ntitle: B"),
    `${articleFile}:6: The front matter is broken: Map keys must be unique`,
  ],
  [
    "a list for fields",
    () => ({ [articleFile]: "---\n- a\n---\nText" }),
    `${articleFile}:1: The front matter must be a list of fields`,
  ],
  [
    "references",
    () =>
      withChange(
        articleFile,
        "title: Close the Book\nexcerpt: One sentence about it.",
        "title: &a Close\nexcerpt: *a",
      ),
    `${articleFile}:3: The front matter is broken: references`,
  ],
  [
    "a missing title",
    () => withChange(articleFile, "title: Close the Book\n", ""),
    `${articleFile}:1: The field \`title\` is missing.`,
  ],
  [
    "an empty excerpt",
    () => withChange(articleFile, "excerpt: One sentence about it.", "excerpt:"),
    `${articleFile}:3: The field \`excerpt\` is missing.`,
  ],
  [
    "a long title",
    () => withChange(articleFile, "Close the Book", "x".repeat(91)),
    `${articleFile}:2: \`title\` has 91 characters; at most 90 fit.`,
  ],
  [
    "a title of numbers",
    () => withChange(articleFile, "Close the Book", "1984"),
    `${articleFile}:2: \`title\` must be text.`,
  ],
  [
    "a title of two lines",
    () => withChange(articleFile, "Close the Book", '"Close\\nthe Book"'),
    `${articleFile}:2: \`title\` must be a single line.`,
  ],
  [
    "a misspelt field",
    () => withChange(articleFile, "order: 1", "order: 1\nfeatred: true"),
    `${articleFile}:6: There is no field \`featred\` here.`,
  ],
  [
    "one tag",
    () => withChange(articleFile, "[memory, study]", "[memory]"),
    `${articleFile}:4: \`tags\` must be a list of 2 to 5`,
  ],
  [
    "a capital tag",
    () => withChange(articleFile, "[memory, study]", "[memory, Study]"),
    `${articleFile}:4: \`tags\` must be lower-case words`,
  ],
  [
    "a tag twice",
    () => withChange(articleFile, "[memory, study]", "[study, study]"),
    `${articleFile}:4: \`tags\` names a tag twice.`,
  ],
  [
    "a worded order",
    () => withChange(articleFile, "order: 1", "order: first"),
    `${articleFile}:5: \`order\` must be a whole number`,
  ],
  [
    "a worded flag",
    () => withChange(courseFile, "featured: true", "featured: perhaps"),
    `${courseFile}:6: \`featured\` must be true or false.`,
  ],
  [
    "a colour by name",
    () => withChange(shelfFile, '"#6D4BC3"', "purple"),
    `${shelfFile}:4: \`color\` must be a colour such as`,
  ],
  [
    "an unknown icon",
    () => withChange(shelfFile, "icon: brain", "icon: brian"),
    `${shelfFile}:5: \`icon\` must be the name of a Lucide icon`,
  ],
  [
    "an icon with a path",
    () => withChange(shelfFile, "icon: brain", "icon: ../brain"),
    `${shelfFile}:5: \`icon\` must be the name of a Lucide icon`,
  ],
  [
    "text on a shelf",
    () => withChange(shelfFile, /$/, "\nHello\n"),
    `${shelfFile}:9: Nothing may follow the front matter`,
  ],
  [
    "text in a course",
    () => withChange(courseFile, /$/, "Hello\n"),
    `${courseFile}:9: Nothing may follow the front matter`,
  ],
  [
    "no text at all",
    () => withChange(articleFile, /The first[^]*/, "\n"),
    `${articleFile}:7: There is no text after the front matter.`,
  ],
  [
    "an unknown difficulty",
    () => withChange(courseFile, "beginner", "easy"),
    `${courseFile}:4: \`difficulty\` must be beginner`,
  ],
  [
    "a negative price",
    () => withChange(courseFile, "49.50", "-1"),
    `${courseFile}:5: \`price\` must be an amount in pounds`,
  ],
  [
    "a price in fractions of pence",
    () => withChange(courseFile, "49.50", "49.505"),
    `${courseFile}:5: \`price\` must be an amount in pounds`,
  ],
  [
    "no minutes",
    () => withChange(firstModuleFile, "minutes: 20\n", ""),
    `${firstModuleFile}:1: The field \`minutes\` is missing.`,
  ],
  [
    "no exercise",
    () => withChange(firstModuleFile, "## Exercise", "## Homework"),
    `${firstModuleFile}:5: The lesson has no \`## Exercise\`.`,
  ],
  [
    "a video from anywhere",
    () =>
      withChange(
        firstModuleFile,
        "minutes: 20",
        "minutes: 20\nvideo: https://evil.example/embed/x",
      ),
    `${firstModuleFile}:4: \`video\` must be`,
  ],
  [
    "a video without a protocol",
    () => withChange(firstModuleFile, "minutes: 20", "minutes: 20\nvideo: //evil.example/x.mp4"),
    `${firstModuleFile}:4: \`video\` must be`,
  ],
  [
    "raw HTML",
    () => withChange(articleFile, "The first", "<b>The</b>\n\nfirst"),
    `${articleFile}:7: Raw HTML is not allowed`,
  ],
  [
    "a comment",
    () => withChange(articleFile, "The first", "<!-- x -->\n\nThe first"),
    `${articleFile}:7: Raw HTML is not allowed`,
  ],
  [
    "a script link",
    () => withChange(articleFile, "https://example.org/paper", "javascript:alert(1)"),
    `${articleFile}:11: The link on “a source” to javascript:alert(1) doesn't work here`,
  ],
  [
    "a plain http link",
    () => withChange(articleFile, "https://", "http://"),
    `${articleFile}:11: The link on “a source” to http://example.org/paper doesn't work here`,
  ],
  [
    "a bare address",
    () => withChange(articleFile, "The first", "See www.example.org for the first"),
    `${articleFile}:7: The link on “www.example.org” to http://www.example.org doesn't work here`,
  ],
  [
    "a link with a password",
    () => withChange(articleFile, "https://", "https://me:secret@"),
    `${articleFile}:11: The link on`,
  ],
  [
    "a link into this machine",
    () => withChange(articleFile, "https://example.org/paper", "https://localhost/x"),
    `${articleFile}:11: The link on`,
  ],
  [
    "a link defined elsewhere",
    () => withChange(articleFile, "The first", "[The][x] first\n\n[x]: data:text/html,1\n\n"),
    `${articleFile}:9: The link to data:text/html,1 doesn't work here`,
  ],
  [
    "an image",
    () => withChange(articleFile, "The first", "![A](https://example.org/a.png) The first"),
    `${articleFile}:7: Only pictures that were uploaded here`,
  ],
  [
    "a second title",
    () => withChange(articleFile, "## A", "# A"),
    `${articleFile}:9: Headings begin at \`##\``,
  ],
  [
    "a left-out level",
    () => withChange(articleFile, "## A", "#### A"),
    `${articleFile}:9: A heading of level 4 follows one of level 1`,
  ],
  [
    "an oversized file",
    () => withChange(articleFile, "The first", "x".repeat(200 * 1024)),
    `${articleFile}:1: The file has 201 KB; at most 200 KB are allowed.`,
  ],
  [
    "an unknown category",
    () => ({ "health/x/_subcategory.md": validFiles[shelfFile] ?? "" }),
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
    () => ({ [shelfFile]: null }),
    "general/learning:1: The subcategory has no file `_subcategory.md`.",
  ],
  [
    "a course without a sheet",
    () => ({ [courseFile]: null }),
    "general/learning/courses/study:1: The course has no file `_course.md`.",
  ],
  [
    "a course without modules",
    () => ({ [firstModuleFile]: null, [secondModuleFile]: null }),
    `${courseFile}:1: The course has no modules.`,
  ],
  [
    "a gap in the modules",
    () => ({ [firstModuleFile]: null }),
    `${secondModuleFile}:1: Module 02 stands where 01 is expected`,
  ],
  [
    "a module without a number",
    () => ({ "general/learning/courses/study/more.md": "x" }),
    "general/learning/courses/study/more.md:1: A module is a file called like",
  ],
  [
    "a slug with capitals",
    () => ({ "general/learning/Shout.md": validFiles[articleFile] ?? "" }),
    "general/learning/Shout.md:1: `Shout` cannot be part of an address",
  ],
  [
    "a module's slug twice",
    () => ({ "general/learning/courses/study/03-begin.md": validFiles[firstModuleFile] ?? "" }),
    "general/learning/courses/study/03-begin.md:1: Another module of this course is called `begin` already.",
  ],
];

test.each(invalidLibraries)(
  "reports an issue with its file and line: %s",
  async (_name, changes, expected) => {
    const issues = await issuesOf(changes());
    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(expected);
  },
);
