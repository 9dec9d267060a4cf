import { describe, expect, it } from "vitest";
import { note, type Content } from "./testing/found-notes.ts";

const latin = (text: string) => new Uint8Array(Array.from(text, (char) => char.charCodeAt(0)));
const fields = (lines: string) =>
  `---\n${lines}excerpt: One sentence.\norder: 1\n---\n\n## One\n\nText.\n`;
const plain = fields("title: A Plan\ntags: [planning, weeks]\n");
const aPlan = {
  title: "A Plan",
  excerpt: "One sentence.",
  tags: ["planning", "weeks"],
  content: "## One\n\nText.",
};
const utf16 = (text: string, isBig: boolean, mark = "\uFEFF") => {
  const bytes = new Uint8Array(Buffer.from(`${mark}${text}`, "utf16le"));
  if (isBig) for (let at = 0; at < bytes.length; at += 2) bytes.subarray(at, at + 2).reverse();
  return bytes;
};

describe("files as editors write them", () => {
  it.each<[string, string, Content, string]>([
    ["a name with capitals and a space", "My Note.md", plain, "my-note"],
    ["an ending in capitals", "UPPER.MD", plain, "upper"],
    ["the long ending", "note.markdown", plain, "note"],
    ["another ending", "note.mdown", plain, "note"],
    ["accents in its name", "Größe & Café.md", plain, "grosse-cafe"],
    ["a mark and Windows' line ends", "crlf.md", `\uFEFF${plain.replaceAll("\n", "\r\n")}`, "crlf"],
    ["line ends of old Macs", "cr.md", plain.replaceAll("\n", "\r"), "cr"],
    ["UTF-16", "utf16.md", utf16(plain, false), "utf16"],
    ["UTF-16, the other way round", "utf16.md", utf16(plain, true), "utf16"],
    ["UTF-16 without a mark", "utf16.md", utf16(plain, false, ""), "utf16"],
    ["dots below its fields", "dots.md", plain.replace("1\n---", "1\n..."), "dots"],
    ["a tab after a field's name", "tab.md", plain.replace("title: ", "title:\t"), "tab"],
    [
      "a list of tags that is not indented",
      "list.md",
      fields("title: A Plan\ntags:\n- planning\n- weeks\n"),
      "list",
    ],
    [
      "a list indented with tabs",
      "list.md",
      fields("title: A Plan\ntags:\n\t- planning\n\t- weeks\n"),
      "list",
    ],
    ["tags in capitals", "tags.md", fields("title: A Plan\ntags: [Planning, WEEKS]\n"), "tags"],
    ["tags in one line", "tags.md", fields("title: A Plan\ntags: planning, weeks\n"), "tags"],
    ["tags of Obsidian", "tags.md", fields("title: A Plan\ntags: #planning #weeks\n"), "tags"],
    [
      "tags of Obsidian in a list",
      "tags.md",
      fields("title: A Plan\ntags:\n  - #planning\n  - #weeks\n"),
      "tags",
    ],
    [
      "tags in lists of lists",
      "tags.md",
      fields("title: A Plan\ntags: [[planning], [weeks, planning]]\n"),
      "tags",
    ],
  ])("are taken with %s", async (_what, path, content, slug) => {
    const { draft, issues, changes } = await note(path, content);
    expect({ issues, changes }).toEqual({ issues: [], changes: [] });
    expect(draft).toMatchObject({ ...aPlan, slug });
  });

  it.each<[string, string, object]>([
    [
      "a colon in the title",
      fields("title: Money: a plan\ntags: [a, b]\n"),
      { title: "Money: a plan" },
    ],
    [
      "a sign that YAML keeps",
      fields("title: @home: *why*\ntags: [a, b]\n"),
      { title: "@home: *why*" },
    ],
    [
      "an open bracket",
      fields("title: [Draft] A plan\ntags: [a, b]\n"),
      { title: "[Draft] A plan" },
    ],
    ["a star before a word", fields("title: *why\ntags: [a, b]\n"), { title: "*why" }],
    ["a year as the title", fields("title: 2024\ntags: [a, b]\n"), { title: "2024" }],
    ["a number as it was written", fields("title: 1.10\ntags: [a, b]\n"), { title: "1.10" }],
    ["a word that is true", fields("title: true\ntags: [a, b]\n"), { title: "true" }],
    ["a date as the title", fields("title: 2024-01-02\ntags: [a, b]\n"), { title: "2024-01-02" }],
    [
      "numbers as tags",
      fields("title: A\ntags: [2024, goals, true]\n"),
      { tags: ["2024", "goals", "true"] },
    ],
    [
      "numbers as tags that begin or end with a zero",
      fields("title: A\ntags: [007, 1.10, 2e3, 0x10, ~, null]\n"),
      { tags: ["007", "1.10", "2e3", "0x10"] },
    ],
    [
      "what was said before",
      fields("title: &plan A plan\ndescription: *plan\ntags: &both [a, b]\n").replace(
        "excerpt: One sentence.\n",
        "",
      ),
      { title: "A plan", excerpt: "A plan", tags: ["a", "b"] },
    ],
    ["a template's title", fields("title: {{title}}\ntags: [a, b]\n"), { title: "{{title}}" }],
    ["one number as its tag", fields("title: A\ntags: 2024\n"), { tags: ["2024"] }],
    [
      "a tag below another",
      fields("title: A\ntags: [work/plans, two_words]\n"),
      { tags: ["work plans", "two words"] },
    ],
    [
      "pictures of letters",
      fields('title: "🚀 Launch 👩‍👩‍👧"\ntags: [a, b]\n'),
      { title: "🚀 Launch 👩‍👩‍👧" },
    ],
    [
      "letters from the right",
      fields("title: שלום 2024 plan\ntags: [a, b]\n"),
      { title: "שלום 2024 plan" },
    ],
    [
      "accents apart from their letters",
      fields("title: Cafe\u0301 plan\ntags: [a, b]\n"),
      { title: "Caf\u00e9 plan" },
    ],
    [
      "a folded sentence",
      "---\ntitle: A\nexcerpt: >-\n  Folded\n  sentence.\ntags: [a, b]\norder: 1\n---\n\nText.",
      { excerpt: "Folded sentence." },
    ],
  ])("have fields as they were meant: %s", async (_what, content, expected) => {
    const { draft, issues, changes } = await note("note.md", content);
    expect({ issues, changes }).toEqual({ issues: [], changes: [] });
    expect(draft).toMatchObject(expected);
  });

  it("are read as Windows-1252 when they are nothing else, and say so", async () => {
    const { draft, changes } = await note(
      "old.md",
      latin(plain.replace("Text.", "Caf\u00e9 \u00a350.")),
    );
    expect(draft?.content).toBe("## One\n\nCafé £50.");
    expect(changes).toEqual([expect.stringMatching(/^1: Read as Windows-1252\. Check/)]);
  });

  it.each<[string, Content, RegExp]>([
    ["nothing", "", /^1: There is no text in this file/],
    ["fields alone", "---\ntitle: A\n---\n", /^4: There is no text in this file/],
    ["no text", new Uint8Array([0x89, 0x50, 0, 0, 0, 1, 0xff]), /^1: The file is not UTF-8 text/],
    ["half a letter of UTF-16", new Uint8Array([0xff, 0xfe, 0x41]), /^1: The file is not UTF-8/],
    [
      "a broken letter among good ones",
      new Uint8Array([...new TextEncoder().encode("# Größe\n\nÜber "), 0xff, 0x0a]),
      /^3: A character here can't be read/,
    ],
    [
      "fields that don't end",
      "---\ntitle: A\n\nText",
      /^1: The front matter has no closing line of `---`/,
    ],
    ["TOML that is broken", '+++\ntitle = "A"\nx = \n+++\nText', /^3: The front matter is broken/],
    ["too much", "x".repeat(205_000), /^1: The file has 201 KB; at most 200 KB are allowed/],
  ])("are refused with their line for %s", async (_what, content, issue) => {
    const { draft, issues } = await note("note.md", content);
    expect(draft).toBeNull();
    expect(issues).toEqual([expect.stringMatching(issue)]);
  });

  it("are cut between what people see as characters: title, tag, excerpt and what is said of them", async () => {
    const family = "👨‍👩‍👧‍👦";
    const [title, tag] = ["a".repeat(198), "b".repeat(28)];
    const excerpt = "c".repeat(1998);
    const kept = "d".repeat(497);
    const { draft, changes } = await note(
      "note.md",
      `---\ntitle: ${title}${family}\ntags: [${tag}${family}]\nexcerpt: ${excerpt}${family}\nplace: ${kept}${family}\n---\n\nText ${"e".repeat(1000)}`,
    );
    expect(draft).toMatchObject({ title, tags: [tag], excerpt });
    expect(changes.join("\n")).toContain(kept);
    // Half of a pair would be shown as a box, and the parts of a family as people of their own.
    expect(changes.join("\n")).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|d👨/);
    const made = await note("made.md", `${"f".repeat(198)}${family} and more`);
    expect(made.draft?.excerpt).toBe(`${"f".repeat(198)}…`);
  });

  it("begin with a line across the page, which is no field", async () => {
    const { draft } = await note("note.md", "---\n\nText about it.");
    expect(draft?.content).toBe("---\n\nText about it.");
  });
});
