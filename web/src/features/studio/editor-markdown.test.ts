import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Editor, getSchema } from "@tiptap/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "@/domain/library-markdown.ts";
import { createEditorExtensions } from "./components/editor-extensions.ts";
import { meaningOf } from "./model/markdown-tree.ts";
import { openText, TextWriter, writeBlocks } from "./model/text-document.ts";
import { generatedMarkdown } from "./testing/generated-markdown.ts";

/** How many texts are generated: `MARKDOWN_RUNS=10000` tries as many, and other ones each time. */
const isShort = process.env["MARKDOWN_RUNS"] === undefined;
const runs = Number(process.env["MARKDOWN_RUNS"] ?? 250);
const schema = getSchema(createEditorExtensions());

function opened(markdown: string) {
  const text = openText(markdown);
  if (text === null) throw new Error("The text was not opened");
  const first = schema.nodeFromJSON(text.document);
  first.check();
  return { text, first, writer: new TextWriter(text, first) };
}

/** The text as the editor writes it when every block has been touched. */
function writtenAnew(markdown: string): string {
  return writeBlocks(opened(markdown).first.toJSON().content);
}

describe("any text", () => {
  it("says the same when it is opened and written anew, or is not edited without a word", () => {
    const count = { blocks: 0, kept: 0, reported: 0 };
    fc.assert(
      fc.property(generatedMarkdown, (markdown) => {
        const { text, first, writer } = opened(markdown);
        expect(writer.write(first)).toBe(markdown);
        const isSame = meaningOf(writeBlocks(first.toJSON().content)) === meaningOf(markdown);
        expect(isSame).toBe(text.isFaithful);
        if (!text.isFaithful) count.reported += 1;
        const nodes = parseMarkdown(markdown).children;
        count.blocks += nodes.length;
        count.kept += nodes.filter(
          ({ type }, index) =>
            !["html", "definition"].includes(type) &&
            first.maybeChild(index)?.type.name === "keptBlock",
        ).length;
      }),
      { numRuns: runs, ...(isShort ? { seed: 1 } : {}) },
    );
    // The parser itself reads a few differently, depending on what stands around them.
    expect(count.reported).toBeLessThanOrEqual(runs / 2000);
    // Nearly all can be edited; most others have marks within marks of their kind.
    expect(count.kept / count.blocks).toBeLessThan(0.1);
    if (!isShort) console.info(count);
  });
});

/** What is wrong most often, with what the editor writes of it. */
const cases = [
  ["code in a numbered list", "1. one\n2. two\n\n   Para.\n\n   ```\n   npm start\n   ```"],
  [
    "three paragraphs and code in a numbered item",
    "1. one\n\n   second\n\n   third\n\n   ```\n   code\n   ```\n2. two",
  ],
  ["escapes", "2024\\. A year to remember.\n\n\\# not a heading\n\n\\- not an item\n\n\\+ 44"],
  ["escapes alone", "2024\\. A year to remember.\n\n\\# not a heading\n\n\\- not an item"],
  ["a check list", "- [ ] todo\n- [x] done"],
  ["some items with a box, numbers and lists within", "1. [x] a\n   - [ ] b\n   - c\n2. d"],
  [
    "a footnote, entities and a fence in a fence",
    "##### Fifth level\n\nText[^1] © — x.\n\n[^1]: Note.\n\n````md\n```\ninner\n```\n````",
    "##### Fifth level\n\nText[^1] &copy; &mdash; x.\n\n[^1]: Note.\n\n````md\n```\ninner\n```\n````",
  ],
  [
    "addresses with spaces, titles and comments",
    '[a](<https://example.com/a b> "t \\"q\\"")\n\nText with a comment <!-- c --> here.',
  ],
  [
    "an address with a space below a heading",
    '## One\n\n[a](<https://example.com/a b> "t")\n\nText with a comment <!-- c --> here.',
  ],
  ["lists that begin elsewhere, loose and tight", "7. a\n8. b\n\n- a\n\n- b\n  - c"],
  ["line ends and breaks", "one\ntwo\\\nthree *four\nfive*"],
  ["columns that are aligned", "| a  |  b | c |\n| :- | -: | - |\n| 1  | \\| | x |"],
  ["marks in marks", "**_a_ b** *c __d__* ~~**`e`**~~ *[f](https://example.com/)*"],
  ["references", '[one][ref] and [ref]\n\n[ref]: https://example.com/ "T"'],
] as const;

describe("what editors often damage", () => {
  it.for(cases)("stays: %s", ([, right, typed = right]) => {
    expect(writtenAnew(typed)).toBe(right);
    const blocks = opened(typed).text.document.content ?? [];
    const kept = blocks.filter(
      ({ type, attrs }) => type === "keptBlock" && attrs?.["defines"] === null,
    );
    expect(kept).toEqual([]);
    expect(meaningOf(right)).toBe(meaningOf(typed));
    // Four visits that change another paragraph leave it as it was typed.
    let markdown = `Before.\n\n${typed}`;
    for (let visit = 0; visit < 4; visit += 1) {
      const { first, writer } = opened(markdown);
      const editor = new Editor({
        extensions: createEditorExtensions(),
        content: first.toJSON(),
        injectCSS: false,
      });
      editor.commands.insertContentAt(1, "x");
      markdown = writer.write(editor.state.doc);
      editor.destroy();
    }
    expect(markdown).toBe(`xxxxBefore.\n\n${typed}`);
  });

  it("has no empty line more when the editor adds one below a list", () => {
    const markdown = "- one\n- two\n";
    const { first, writer } = opened(markdown);
    const editor = new Editor({
      extensions: createEditorExtensions(),
      content: first.toJSON(),
      injectCSS: false,
    });
    editor.commands.setTextSelection(3);
    expect(editor.state.doc.childCount).toBe(2);
    expect(writer.write(editor.state.doc)).toBe(markdown);
    editor.destroy();
  });

  it("keeps line ends of Windows", () => {
    const markdown = "One\r\ntwo\r\n\r\n- three\r\n";
    const { first, writer } = opened(markdown);
    expect(writer.write(first)).toBe(markdown);
  });

  it("is not opened when it is nested too deeply", () => {
    expect(openText(`${"> ".repeat(60)}deep`)).toBeNull();
    expect(openText(`${"> ".repeat(2000)}deep`)).toBeNull();
    expect(openText(`Fine.\n\n${"**a".repeat(3000)}`)).toBeNull();
    expect(openText(`[x]: https://a.test/${"a".repeat(3000)}\n\n[x]`)).toBeNull();
  });
});

const library = path.resolve(import.meta.dirname, "../../../../supabase/seed/content");
const libraryTexts = readdirSync(library, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .map((name) => readFileSync(path.join(library, name), "utf8"))
  .map((file) => file.replace(/^---\n.*?\n---\n/su, ""))
  .filter((markdown) => markdown.trim() !== "");

describe("the texts of the library", () => {
  it("stay as they are, also beside a paragraph that was changed", () => {
    expect(libraryTexts.length).toBeGreaterThan(100);
    for (const markdown of libraryTexts) {
      const { first, writer } = opened(markdown);
      expect(writer.write(first)).toBe(markdown);
      expect(JSON.stringify(first.toJSON())).not.toMatch(/"kept(?:Block|Inline)"/u);
      const more = schema.nodeFromJSON({
        type: "paragraph",
        content: [{ type: "text", text: "More." }],
      });
      expect(writer.write(first.copy(first.content.addToEnd(more)))).toBe(
        `${markdown.trimEnd()}\n\nMore.\n`,
      );
      expect(meaningOf(writtenAnew(markdown))).toBe(meaningOf(markdown));
    }
  });
});
