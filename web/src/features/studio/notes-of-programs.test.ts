import { describe, expect, it } from "vitest";
import { found, note } from "./testing/found-notes.ts";

describe("notes of other programs", () => {
  it("of Obsidian keep their words, find their pictures and tell what became of the rest", async () => {
    const vault = {
      "Vault/Other note.md": "# The other one\n\nText.",
      "Vault/attachments/Photo 1.PNG": "x",
      "Vault/attachments/scan.pdf": "x",
    };
    const text = [
      "---",
      "tags:",
      "  - planning",
      "  - weeks",
      "aliases: [Plan]",
      "created: 2024-03-01",
      "---",
      "# My plan",
      "",
      "See [[Other note|the other]], [[other note#Part]], [[Nowhere]] and ![[photo 1.png|300]].",
      "",
      "> [!info]- Remember",
      "> Text ==highlight== #tag %%hidden%% ![[scan.pdf]]",
      "",
      "| a | b |",
      "| - | - |",
      String.raw`| [[Other note\|there]] | [[#Here]] |`,
      "",
      "`[[Code]]` and \\[[Escaped]] and `==code==`",
      "",
      "```",
      "[[Other note]] ![[photo 1.png]] # no heading",
      "```",
    ].join("\n");
    const { draft, issues, changes, pictures, leftOut } = await note(
      "Vault/My plan.md",
      text,
      vault,
    );
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({
      title: "My plan",
      slug: "my-plan",
      tags: ["planning", "weeks"],
      excerpt: "See the other, other note: Part, Nowhere and .",
    });
    expect(draft?.content).toBe(
      [
        "See the other, other note: Part, Nowhere and ![Photo 1](pictures/Photo-1.PNG).",
        "",
        "> [!NOTE]",
        "> Remember",
        ">",
        "> Text **highlight** #tag scan.pdf",
        "",
        "| a | b |",
        "| - | - |",
        "| there | Here |",
        "",
        "`[[Code]]` and \\[[Escaped]] and `==code==`",
        "",
        "```",
        "[[Other note]] ![[photo 1.png]] # no heading",
        "```",
      ].join("\n"),
    );
    expect(pictures).toEqual(["pictures/Photo-1.PNG"]);
    expect(leftOut).toEqual(["Vault/attachments/scan.pdf"]);
    const said = changes.join("\n");
    for (const part of [
      "5: `aliases` has no place in a draft, so it's only listed here: Plan",
      "6: `created` has no place in a draft, so it's only listed here: 2024-03-01",
      "8: Its first heading became the title.",
      "10: The link to “The other one” became plain words (“the other”). That note is being imported too",
      "10: The link to “Nowhere” became plain words (“Nowhere”), because that note isn't",
      "10: Describe the picture in the draft: it has no description but its file's name, “Photo 1”.",
      "12: The box “info” became a Note.",
      "13: Highlighted words became bold.",
      "13: A hidden comment was left out: “hidden”.",
      "13: “scan.pdf” can't be shown within a text",
      "17: The link to a heading became plain words (“Here”)",
    ]) {
      expect(said).toContain(part);
    }
  });

  it("of Obsidian alone keep the name of a picture that isn't there", async () => {
    const { draft, changes } = await note("note.md", "# Mine\n\nSee ![[photo.png]].");
    expect(draft?.content).toBe("See photo.png.");
    expect(changes.join("\n")).toContain("3: There is no picture “photo.png” in this import");
  });

  it("of Obsidian keep what it hides to themselves, over any lines and with any signs", async () => {
    const text = [
      "# Mine",
      "",
      "Shown %%secret *one*%% words %%secret",
      "two%% here.",
      "",
      "%%",
      "secret three",
      "",
      "- secret [four](https://example.com)",
      "%%",
      "",
      "> Quoted %%secret",
      "> five%% words.",
      "",
      "`%%code%%` and 5 %% of",
      "",
      "6 %% of it.",
    ].join("\n");
    const { draft, issues, changes } = await note("note.md", text);
    expect(issues).toEqual([]);
    expect(draft?.content.replaceAll(/\n{2,}/g, "\n\n")).toBe(
      "Shown words \nhere.\n\n> Quoted \n> words.\n\n`%%code%%` and 5 %% of\n\n6 %% of it.",
    );
    expect(changes.filter((each) => each.includes("hidden comment"))).toEqual([
      "3: A hidden comment was left out: “secret *one*”.",
      "3: A hidden comment was left out: “secret two”.",
      "6: A hidden comment was left out: “secret three - secret [four](https://example.com)”.",
      "12: A hidden comment was left out: “secret five”.",
    ]);
  });

  it("of Obsidian name what can't be shown, not the size it was shown in", async () => {
    const text = "![[Other|300]] ![[scan.pdf|300x200]] ![[Other|words|x40]] ![[a.png|A boat|300]]";
    const { draft } = await note("note.md", text, { "Other.md": "Text.", "a.png": "x" });
    expect(draft?.content).toBe("Other scan.pdf words ![A boat](pictures/a.png)");
  });

  it("say which tags were cut, and what was named but has no place", async () => {
    const long = "t".repeat(31);
    const fields = `title: A\nbase: &base {a: 1}\nmore:\n  <<: *base\ncover: false\ntags: [${long}]`;
    const { draft, issues, changes } = await note("note.md", `---\n${fields}\n---\nText.`);
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({ tags: ["t".repeat(30)], cover: null });
    const said = changes.join("\n");
    for (const part of [
      '4: `more` has no place in a draft, so it\'s only listed here: {"a":"1"}',
      "6: `cover` has no place in a draft, so it's only listed here: false",
      `7: Tags have at most 30 characters, so “${long}” was cut.`,
    ]) {
      expect(said).toContain(part);
    }
  });

  it("of Notion lose the number of their names, and find what lies in the folder of a page", async () => {
    const number = "1a2b3c4d5e6f7890abcdef1234567890";
    const other = "ffffffffffffffffffffffffffffffff";
    const text = `# Notion Page\n\nCreated: March 1, 2024\nTags: Planning, Weeks\n\nText ![Untitled](Notion%20Page%20${number}/Untitled.png) [Other](Other%20${other}.md)\n\n<aside>\n💡 A thought\n\n</aside>\n`;
    const { draft, issues, changes, pictures } = await note(`Notion Page ${number}.md`, text, {
      [`Notion Page ${number}/Untitled.png`]: "x",
      [`Other ${other}.md`]: "# Other\n\nText.",
    });
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({
      title: "Notion Page",
      slug: "notion-page",
      tags: ["planning", "weeks"],
      content: "Text ![Untitled](pictures/Untitled.png) Other\n\n💡 A thought",
    });
    expect(pictures).toEqual(["pictures/Untitled.png"]);
    expect(changes.join("\n")).toContain(
      "3: `created` has no place in a draft, so it's only listed here: March 1, 2024",
    );
    expect(changes.join("\n")).toContain("The link to “Other” became plain words");
  });

  it("of Notion, exported alone, are refused by the line of their picture", async () => {
    const { draft, issues } = await note(
      "Page 1a2b3c4d5e6f7890abcdef1234567890.md",
      "# Page\n\nText ![Untitled](Page%201a2b/Untitled.png)\n",
    );
    expect(draft).toBeNull();
    expect(issues).toEqual([
      expect.stringMatching(
        /^3: There is no picture `Page%201a2b\/Untitled.png` in this import. Choose/,
      ),
    ]);
  });

  it("of Jekyll take title and address of the post, and keep the rest as remarks", async () => {
    const text =
      '---\nlayout: post\ntitle:  "Welcome: to Jekyll!"\ndate:   2015-11-17 16:16:01 -0600\ncategories: jekyll update\ntags: [a, b]\n---\n\n![](/assets/two%20boats.png) {% include note.html %}\n\n<!-- more -->\n\nText\n';
    const { draft, issues, changes } = await note(
      "site/_posts/2015-11-17-welcome-to-jekyll.md",
      text,
      {
        "site/assets/Two Boats.png": "x",
      },
    );
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({
      title: "Welcome: to Jekyll!",
      slug: "welcome-to-jekyll",
      tags: ["a", "b"],
      content: "![Two Boats](pictures/Two-Boats.png) {% include note.html %}\n\n\n\nText",
    });
    expect(changes).toEqual(
      expect.arrayContaining([
        "2: `layout` has no place in a draft, so it's only listed here: post",
        "4: `date` has no place in a draft, so it's only listed here: 2015-11-17 16:16:01 -0600",
        "5: `categories` has no place in a draft, so it's only listed here: jekyll update",
        "9: “{% include note.html %}” is a template command, kept here as text.",
        "11: A hidden comment was left out: “more”.",
      ]),
    );
  });

  it("of Hugo have fields in TOML, and a bundle has the name of its folder", async () => {
    const text =
      '+++\ntitle = "Hello: all"\ndate = 2024-01-02\ndraft = true\ntags = ["Go", "Web"]\nimage = "boats.png"\n[params]\nx = 1\n+++\n\nText of the page.\n';
    const { draft, issues, changes, pictures } = await note(
      "content/posts/my-first-page/index.md",
      text,
      {
        "content/posts/my-first-page/boats.png": "x",
      },
    );
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({
      title: "Hello: all",
      slug: "my-first-page",
      tags: ["go", "web"],
      excerpt: "Text of the page.",
      content: "Text of the page.",
      cover: "pictures/boats.png",
    });
    expect(pictures).toEqual(["pictures/boats.png"]);
    expect(changes).toEqual([
      "3: `date` has no place in a draft, so it's only listed here: 2024-01-02",
      "4: `draft` has no place in a draft, so it's only listed here: true",
      '7: `params` has no place in a draft, so it\'s only listed here: {"x":1}',
      "10: The excerpt was made from the first words. Check it in the draft.",
    ]);
  });

  it("of Hugo with fields as JSON are drafts, and a text that begins with a brace is a text", async () => {
    const json =
      '{\n  "title": "A Plan",\n  "tags": ["a", "b"],\n  "weight": 3\n}\n\nText of the page.\n';
    const { draft, issues, changes } = await note("content/plan.md", json);
    expect(issues).toEqual([]);
    expect(draft).toMatchObject({
      title: "A Plan",
      tags: ["a", "b"],
      content: "Text of the page.",
    });
    expect(changes).toEqual([
      "4: `weight` has no place in a draft, so it's only listed here: 3",
      "6: The excerpt was made from the first words. Check it in the draft.",
    ]);
    const braces = await note("braces.md", "{\nnot JSON\n}\n\nText.");
    expect(braces.draft?.content).toContain("not JSON");
  });

  it("whose names have no letter for an address, and texts without first words, are told so", async () => {
    const { draft, changes } = await note("план.md", "| a |\n| - |\n| b |\n");
    expect(draft).toMatchObject({ title: "План", slug: "", excerpt: "" });
    expect(changes).toEqual([
      "1: The file's name became the title, “План”.",
      "1: An address has letters from a to z and digits, and neither its name nor its title has any. Write one in the draft.",
      "1: It has no opening words to make an excerpt from. Write one in the draft.",
    ]);
  });

  it("without any fields have the name of their file", async () => {
    const { draft, changes } = await note("buy_less-now.md", "Some words #Money and #two_words.");
    expect(draft).toMatchObject({
      title: "Buy less now",
      slug: "buy-less-now",
      tags: ["money", "two words"],
    });
    expect(changes).toContain("1: The file's name became the title, “Buy less now”.");
  });

  it("get addresses of their own where two have one name", async () => {
    const { items } = await found({
      "a/README.md": "One",
      "b/a/readme.md": "Two",
      "c.md": "Three",
    });
    expect(items.map(({ content }) => content?.slug)).toEqual(["a", "a-2", "c"]);
  });

  it("come in by the hundred", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `${index}.md`,
        `# Note ${index}\n\nSee [[${index + 1}]].`,
      ]),
    );
    const { items } = await found(files);
    expect(items.filter(({ content }) => content !== null)).toHaveLength(300);
  });
});
