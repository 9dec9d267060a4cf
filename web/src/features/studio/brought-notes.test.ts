import { describe, expect, it } from "vitest";
import { note, type Content } from "./testing/found-notes.ts";

const fields = (differs: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    title: " A Plan",
    excerpt: " One sentence.",
    tags: " [planning, weeks]",
    order: " 1",
    ...differs,
  })
    .map(([name, value]) => `${name}:${value}\n`)
    .join("");
const file = (body: string, differs?: Readonly<Record<string, string>>) =>
  `---\n${fields(differs)}---\n\n${body}`;
const plain = file("## One\n\nText.\n");
/** What is said of a note without an excerpt, at the line of its text. */
const made = (line: number) =>
  `${line}: The excerpt was made from the first words. Check it in the draft.`;
const kept = (line: number, name: string, value: string) =>
  `${line}: \`${name}\` has no place in a draft, so it's only listed here: ${value}`;

const nested = `## One

1. one
   1. one-a
      - deep
2. two

   Second paragraph.

   \`\`\`
   code
   \`\`\`

10. ten

| a | b \\| c |
|---|:-:|
| 1 | \`x\\|y\` |

\\# not a heading

1\\. not a list

2024\\. A year

Line one\\
line two

* star
+ plus

---

Setext heading
--------------

foo_bar_baz and 5*3*2 and \\*stars\\* https://example.com/a_b_c

![x](y.png)
`;

interface Brought {
  readonly draft: object;
  readonly changes?: readonly string[];
}

describe("a note as a program wrote it", () => {
  it.each<[string, Content, Brought]>([
    ["My Note.md", plain, { draft: { slug: "my-note", content: "## One\n\nText." } }],
    ["UPPER.MD", plain, { draft: { slug: "upper", content: "## One\n\nText." } }],
    ["note.markdown", plain, { draft: { slug: "note", content: "## One\n\nText." } }],
    [
      "colon-title.md",
      file("## One\n\nText.\n", { title: " Money: a plan" }),
      { draft: { title: "Money: a plan" } },
    ],
    [
      "cp1252.md",
      new Uint8Array(Buffer.from(file("## One\n\nCafé £50.\n"), "latin1")),
      {
        draft: { content: "## One\n\nCafé £50." },
        changes: [
          "1: Read as Windows-1252. Check the letters with accents; save it as UTF-8 if they're wrong.",
        ],
      },
    ],
    [
      "crlf-bom.md",
      `\uFEFF${file("## One\n\nText with trailing  \nbreak.\n").replaceAll("\n", "\r\n")}`,
      { draft: { content: "## One\n\nText with trailing  \nbreak." } },
    ],
    [
      "dots-end.md",
      `---\n${fields()}...\n\n## One\n\nText.\n`,
      { draft: { title: "A Plan", content: "## One\n\nText." } },
    ],
    [
      "emoji-title.md",
      file("## 🚀\n\nText.\n", { title: ' "🚀 Launch 👩‍👩‍👧"' }),
      { draft: { title: "🚀 Launch 👩‍👩‍👧", slug: "emoji-title", content: "## 🚀\n\nText." } },
    ],
    [
      "footnotes.md",
      file(
        "## One\n\nText[^1].\n\n[^1]: A note.\n\n- [ ] todo\n- [x] done\n\n~~gone~~ $x^2$ H~2~O\n",
      ),
      {
        draft: {
          content:
            "## One\n\nText[^1].\n\n[^1]: A note.\n\n- [ ] todo\n- [x] done\n\n~~gone~~ $x^2$ H~2~O",
        },
      },
    ],
    [
      "h1.md",
      file("# Title again\n\n## One\n\nText.\n"),
      {
        draft: { title: "A Plan", content: "## Title again\n\n### One\n\nText." },
        changes: ["8: Headings begin at the second level here, so they were moved."],
      },
    ],
    [
      "http-link.md",
      file(
        "## One\n\n[x](http://example.com) [m](mailto:a@example.com) [t](tel:+441234) [r](other.md) [a](#one)\n",
      ),
      {
        draft: { content: "## One\n\n[x](https://example.com) m `a@example.com` t `+441234` r a" },
        changes: [
          "10: The link to http://example.com was changed to https. Try it.",
          "10: Links must be full https addresses, so “mailto:a@example.com” is kept as text.",
          "10: Links must be full https addresses, so “tel:+441234” is kept as text.",
          "10: The link to “other.md” became plain words (“r”), because that note isn't in this import.",
          "10: The link to a heading became plain words (“a”); drafts have no such links.",
        ],
      },
    ],
    [
      "hugo-toml.md",
      '+++\ntitle = "Hello"\ndate = 2024-01-02\n+++\n\nText\n',
      {
        draft: { title: "Hello", excerpt: "Text", tags: [], content: "Text" },
        changes: [kept(3, "date", "2024-01-02"), made(5)],
      },
    ],
    [
      "indented-tags.md",
      file("## One\n\nText.\n", {
        excerpt: " >-\n  Folded\n  sentence.",
        tags: "\n- planning\n- weeks",
      }),
      { draft: { excerpt: "Folded sentence.", tags: ["planning", "weeks"] } },
    ],
    [
      "jekyll.md",
      '---\nlayout: post\ntitle:  "Welcome: to Jekyll!"\ndate:   2015-11-17 16:16:01 -0600\ncategories: jekyll update\ntags: [a, b]\n---\n\nText\n',
      {
        draft: { title: "Welcome: to Jekyll!", tags: ["a", "b"], content: "Text" },
        changes: [
          kept(2, "layout", "post"),
          kept(4, "date", "2015-11-17 16:16:01 -0600"),
          kept(5, "categories", "jekyll update"),
          made(8),
        ],
      },
    ],
    [
      "nfd.md",
      file("## One\n\nText cafe\u0301.\n", { title: " Cafe\u0301 plan" }),
      { draft: { title: "Caf\u00e9 plan" } },
    ],
    [
      "num-tags.md",
      file("## One\n\nText.\n", { title: " Goals", tags: " [2024, goals]" }),
      { draft: { title: "Goals", tags: ["2024", "goals"] } },
    ],
    [
      "obsidian-note.md",
      "---\ntags:\n  - planning\n  - weeks\naliases: [Plan]\ncreated: 2024-03-01\n---\n# My plan\n\nSee [[Other note|the other]] and ![[photo.png]].\n\n> [!info] Remember\n> Text ==highlight== #tag ^block\n",
      {
        draft: {
          title: "My plan",
          excerpt: "See the other and photo.png.",
          tags: ["planning", "weeks"],
          content:
            "See the other and photo.png.\n\n> [!NOTE]\n> Remember\n>\n> Text **highlight** #tag ^block",
        },
        changes: [
          kept(5, "aliases", "Plan"),
          kept(6, "created", "2024-03-01"),
          "8: Its first heading became the title.",
          made(8),
          "10: The link to “Other note” became plain words (“the other”), because that note isn't in this import.",
          "10: There is no picture “photo.png” in this import, so only its name is kept. Choose the folder or archive that holds it as well, or insert it in the draft.",
          "12: The box “info” became a Note.",
          "13: Highlighted words became bold.",
        ],
      },
    ],
    [
      "reflinks.md",
      file(
        '## One\n\nSee [this][a] and [that].\n\n[a]: https://example.com/a "T"\n[that]: https://example.com/b\n',
      ),
      {
        draft: {
          content:
            '## One\n\nSee [this][a] and [that].\n\n[a]: https://example.com/a "T"\n[that]: https://example.com/b',
        },
      },
    ],
    [
      "rtl.md",
      file("## כותרת\n\nטקסט בעברית.\n", { title: " שלום 2024 plan", excerpt: " مرحبا." }),
      {
        draft: { title: "שלום 2024 plan", excerpt: "مرحبا.", content: "## כותרת\n\nטקסט בעברית." },
      },
    ],
    [
      "tab-yaml.md",
      file("## One\n\nText.\n", { title: "\tA Plan" }),
      { draft: { title: "A Plan" } },
    ],
    [
      "upper-tags.md",
      file("## One\n\nText.\n", { title: " Goals", tags: " [Planning, Weeks]" }),
      { draft: { title: "Goals", tags: ["planning", "weeks"] } },
    ],
    [
      "utf16.md",
      new Uint8Array(Buffer.from(`\uFEFF${plain}`, "utf16le")),
      { draft: { title: "A Plan", content: "## One\n\nText." } },
    ],
    ["year-title.md", file("## One\n\nText.\n", { title: " 2024" }), { draft: { title: "2024" } }],
  ])("%s is a draft", async (name, content, { draft, changes = [] }) => {
    const read = await note(name, content);
    expect(read.issues).toEqual([]);
    expect(read.draft).toMatchObject(draft);
    expect(read.changes).toEqual(changes);
    expect(read.leftOut).toEqual([]);
  });

  it("keeps every sign of a long text, once the picture it shows has come too", async () => {
    const alone = await note("nested.md", file(nested));
    expect(alone.draft).toBeNull();
    expect(alone.issues).toEqual([
      "46: There is no picture `y.png` in this import. Choose the folder or archive that holds it, or take the line out.",
    ]);
    const { draft, issues } = await note("nested.md", file(nested), { "y.png": "x" });
    expect(issues).toEqual([]);
    expect(draft?.content).toBe(nested.trim().replace("(y.png)", "(pictures/y.png)"));
  });

  it("names the line of a sign that would be HTML, and takes HTML in code and addresses", async () => {
    const body = (signs: string) =>
      file(
        `## One\n\n\`<b>\` in code is fine.\n\n\`\`\`html\n<div>x</div>\n\`\`\`\n\nArrow -> and a < b and ${signs}.\n\n<https://example.com>\n`,
      );
    const read = await note("code-html.md", body("x<y>z"));
    expect(read.draft).toBeNull();
    expect(read.issues).toEqual(["16: Raw HTML is not allowed; write Markdown."]);
    const escaped = await note("code-html.md", body("x\\<y>z"));
    expect([escaped.issues, escaped.draft?.content.split("\n")[8]]).toEqual([
      [],
      "Arrow -> and a < b and x\\<y>z.",
    ]);
  });

  it("of Notion, alone, names the line of the picture that did not come with it", async () => {
    const page =
      "# Notion Page\n\nCreated: March 1, 2024\nTags: planning\n\nText ![Untitled](Notion%20Page%201a2b/Untitled.png)\n";
    const name = "Notion Page 1a2b3c4d5e6f7890abcdef1234567890.md";
    const read = await note(name, page);
    expect(read.draft).toBeNull();
    expect(read.issues).toEqual([
      "6: There is no picture `Notion%20Page%201a2b/Untitled.png` in this import. Choose the folder or archive that holds it, or take the line out.",
    ]);
    expect(read.changes).toEqual([
      "1: Its first heading became the title.",
      made(1),
      kept(3, "created", "March 1, 2024"),
    ]);
    const whole = await note(name, page, { "Notion Page 1a2b/Untitled.png": "x" });
    expect(whole.draft).toMatchObject({
      title: "Notion Page",
      slug: "notion-page",
      tags: ["planning"],
      content: "Text ![Untitled](pictures/Untitled.png)",
    });
  });
});
