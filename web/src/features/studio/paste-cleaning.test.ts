import { Editor } from "@tiptap/core";
import { describe, expect, it } from "vitest";
import { createEditorExtensions } from "./components/editor-extensions.ts";
import { cleanPastedHtml } from "./model/paste-cleaning.ts";
import { writeBlocks } from "./model/text-document.ts";
import { docsClipboard, wordClipboard } from "./testing/clipboards.ts";

/** The Markdown of what was pasted, as the editor writes it. */
function pasted(html: string): string {
  const editor = new Editor({
    extensions: createEditorExtensions(),
    content: cleanPastedHtml(html).html,
    injectCSS: false,
  });
  const markdown = writeBlocks(editor.getJSON().content);
  editor.destroy();
  return markdown;
}

const table = `| Day    | Task  |
| ------ | ----- |
| Monday | Write |`;

describe("a text pasted from Word", () => {
  it("keeps headings, marks, lists, links and tables, and nothing else", () => {
    expect(pasted(wordClipboard)).toBe(`## Plan the week

Begin on **Sunday**, with *one* page.

### What you need

- A calendar
  - on paper
- An hour

### How it goes

1. Look back
2. Choose [three things](https://example.com/three)

${table}`);
  });

  it("has no styles, comments or elements of Office left, and counts its pictures", () => {
    const { html, pictures } = cleanPastedHtml(wordClipboard);
    expect(html).not.toMatch(/mso|style|class|<!--|o:p|v:|xml|file:|<span|<img|&nbsp;/i);
    expect(pictures).toBe(1);
  });

  it("begins a list where the document does, and knows letters", () => {
    const item = (style: string, marker: string, words: string) =>
      `<p style="mso-list:${style}"><span style="mso-list:Ignore">${marker}<span>&nbsp;</span></span>${words}</p>`;
    const { html } = cleanPastedHtml(
      item("l0 level1 lfo1", "3.", "Third") +
        item("l0 level2 lfo1", "a)", "Letter") +
        "<p>Between</p>" +
        item("l1 level1 lfo2", "o", "Bullet") +
        item("l2 level1 lfo3", "1.", "Number"),
    );
    expect(html).toBe(
      '<ol start="3"><li><p>Third</p><ol><li><p>Letter</p></li></ol></li></ol><p>Between</p>' +
        "<ul><li><p>Bullet</p></li></ul><ol><li><p>Number</p></li></ol>",
    );
  });
});

describe("a text pasted from Google Docs", () => {
  it("is not bold altogether, and keeps what was", () => {
    expect(pasted(docsClipboard)).toBe(`## Plan the week

Begin on **Sunday**, with *one* page, ~~not two~~.

### What you need

- A calendar
  - on paper
- An hour

Read [three things](https://example.com/three?a=1) and this.

${table}`);
    expect(cleanPastedHtml(docsClipboard).pictures).toBe(1);
  });
});

describe("other pasted texts", () => {
  it("stay as they are when the editor copied them", () => {
    const own = '<blockquote data-callout="tip" data-pm-slice="1 1 []"><p>Words.</p></blockquote>';
    expect(cleanPastedHtml(own)).toEqual({ html: own, pictures: 0 });
  });

  it("lose scripts, handlers and addresses that are no pages", () => {
    const { html } = cleanPastedHtml(
      `<script>alert(1)</script><p onclick="x()">One <a href="javascript:x()">two</a> <a href="https://example.com/">three</a></p><svg onload="x()"></svg>`,
    );
    expect(html).toBe('<p>One two <a href="https://example.com/">three</a></p>');
  });

  it("keep their levels without a heading of the first, down to the fourth", () => {
    expect(cleanPastedHtml("<h2>A</h2><h5>B</h5><div>C</div>").html).toBe(
      "<h2>A</h2><h4>B</h4><p>C</p>",
    );
  });
});
