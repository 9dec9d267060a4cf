import { describe, expect, it } from "vitest";
import { note, type Content } from "./testing/found-notes.ts";

describe("what a draft can't hold as it is", () => {
  const rewritten = async (text: string, others: Readonly<Record<string, Content>> = {}) =>
    await note("a/note.md", `---\ntitle: A\nexcerpt: B\n---\n${text}`, others);

  it("has headings from the second level, each below the same", async () => {
    const text =
      "# One\n\n## Two\n\n#### Deep\n\nSetext\n===\n\nLower\n---\n\n> # Quoted\n\n    # code\n";
    const { draft, changes } = await rewritten(text);
    expect(draft?.content).toBe(
      "## One\n\n### Two\n\n#### Deep\n\n## Setext\n\n### Lower\n\n> ## Quoted\n\n    # code",
    );
    expect(changes).toEqual(["5: Headings begin at the second level here, so they were moved."]);
  });

  it("says a heading that repeats the title only once", async () => {
    const { draft, changes } = await rewritten("# a\n\nText.");
    expect(draft?.content).toBe("Text.");
    expect(changes).toEqual([]);
  });

  it.each([
    ["[x](http://example.com/a)", "[x](https://example.com/a)"],
    ["<http://example.com>", "<https://example.com>"],
    ["http://example.com/a", "https://example.com/a"],
    ["www.example.com", "[www.example.com](https://www.example.com)"],
    ["[m](mailto:a@example.com)", "m `a@example.com`"],
    ["a@example.com", "`a@example.com`"],
    ["[t](tel:+441234)", "t `+441234`"],
    ["[r](other.md)", "r"],
    ["[**r**](other.md 'T')", "**r**"],
    ["[a](#one)", "a"],
    ["[j](javascript:alert(1))", "j"],
    ["[s](https://example.com/a_(b) 'T')", "[s](https://example.com/a_(b) 'T')"],
    ["See [this][a].\n\n[a]: http://example.com/a", "See [this](<https://example.com/a>)."],
    ["See [this].\n\n[this]: other.md", "See this."],
    [
      "See [this][a].\n\n[a]: https://example.com/a",
      "See [this][a].\n\n[a]: https://example.com/a",
    ],
    ["`[x](http://example.com)`", "`[x](http://example.com)`"],
  ])("has links as the library allows them: %s", async (text, expected) => {
    const { draft, issues } = await rewritten(text);
    expect(issues).toEqual([]);
    expect(draft?.content).toBe(expected);
  });

  it.each([
    ["![Boats](boats.png)", "a/boats.png", "![Boats](pictures/boats.png)"],
    [
      "![Boats](<pictures/two boats.png>)",
      "a/pictures/Two Boats.PNG",
      "![Boats](pictures/Two-Boats.PNG)",
    ],
    [
      "![Boats](pictures/two%20boats.png)",
      "a/pictures/two boats.png",
      "![Boats](pictures/two-boats.png)",
    ],
    [
      "![Boats](pictures/caf\u00e9.png)",
      "a/pictures/cafe\u0301.png",
      "![Boats](pictures/cafe.png)",
    ],
    [
      "![Boats](pictures/cafe\u0301.png)",
      "a/pictures/caf\u00e9.png",
      "![Boats](pictures/cafe.png)",
    ],
    ["![Boats](../img/boats.png 'Title')", "img/boats.png", "![Boats](pictures/boats.png)"],
    ["![Boats](/static/boats.png?raw=1)", "site/static/boats.png", "![Boats](pictures/boats.png)"],
    ["![Boats](50%.png)", "a/50%.png", "![Boats](pictures/50.png)"],
    [
      "![Boats](pictures/boats.png#16x9)",
      "a/pictures/boats.png",
      "![Boats](pictures/boats.png#16x9)",
    ],
    ["![Boats][b]\n\n[b]: boats.png", "a/boats.png", "![Boats](pictures/boats.png)"],
    ["![A [b] `c`](boats.png)", "a/boats.png", "![A (b) c](pictures/boats.png)"],
    ["[![Boats](boats.png)](other.md)", "a/boats.png", "![Boats](pictures/boats.png)"],
    ["![](IMG_0001.png)", "a/IMG_0001.png", "![IMG 0001](pictures/IMG_0001.png)"],
  ])("has pictures of the import: %s from %s", async (text, path, expected) => {
    const { draft, issues, leftOut } = await rewritten(text, { [path]: "x" });
    expect(issues).toEqual([]);
    expect(draft?.content).toBe(expected);
    expect(leftOut).toEqual([]);
  });

  it("has two pictures of one name as two", async () => {
    const { draft, pictures } = await rewritten("![One](x/a.png) ![Two](y/a.png) ![One](x/a.png)", {
      "a/x/a.png": "1",
      "a/y/a.png": "2",
    });
    expect(draft?.content).toBe(
      "![One](pictures/a.png) ![Two](pictures/a-2.png) ![One](pictures/a.png)",
    );
    expect(pictures).toEqual(["pictures/a.png", "pictures/a-2.png"]);
  });

  it.each([
    ["![Boats](gone.png)", /^5: There is no picture `gone.png` in this import/],
    ["![Boats](photo.heic)", /^5: `photo.heic` isn't a JPG, PNG or WebP/],
    [
      "![Boats](https://example.com/a.png)",
      /^5: Only pictures that were uploaded here are allowed/,
    ],
    ["Words.\n\n<b>bold</b>", /^7: Raw HTML is not allowed/],
    ["[[Nowhere]]\n\n<div>\n\n![[gone.png]]", /^7: Raw HTML is not allowed/],
  ])("is refused with its line: %s", async (text, issue) => {
    const { draft, issues } = await rewritten(text);
    expect(draft).toBeNull();
    expect(issues).toEqual([expect.stringMatching(issue)]);
  });

  it("keeps what looks like a sign of Obsidian and is none", async () => {
    const text = "a == b, x==1 and y==2, 50%%-60%%, C#, #1, 1 [[",
      kept = text;
    const { draft, changes } = await rewritten(text);
    expect(draft?.content).toBe(kept);
    expect(changes).toEqual([]);
  });

  it("keeps lists, footnotes, check lists, tables and code as they are", async () => {
    const text =
      "1. one\n   1. one-a\n      - deep\n2. two\n\n   Second.\n\n   ```\n   [[code]]\n   ```\n\n- [ ] todo\n- [x] done\n\nText[^1]. \\# none\n2024\\. A year\n\n[^1]: A note.\n\n| a | b \\| c |\n|---|:-:|\n| 1 | `x\\|y` |\n\n---\n\n<https://example.com> a < b -> c";
    const { draft, changes } = await rewritten(text);
    expect(draft?.content).toBe(text);
    expect(changes).toEqual([]);
  });
});
