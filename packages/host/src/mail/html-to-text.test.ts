import { expect, test } from "vitest";
import { escapeHtml, htmlToText } from "./html-to-text.ts";

test("paragraphs, links and entities of an e-mail become plain text", () => {
  const html = `<html><head><title>x</title><style>p { color: red }</style></head><body>
    <h1>Hello&nbsp;Ada</h1>
    <p>Fish &amp; chips &lt;here&gt;<br>and there</p>
    <p><a class="b" href="https://a.test/?x=1&amp;y=2">Open</a></p>
    <p><a href='https://b.test'>https://b.test</a></p>
  </body></html>`;
  expect(htmlToText(html)).toBe(
    "Hello Ada\n\nFish & chips <here>\nand there\n\nOpen:\nhttps://a.test/?x=1&y=2\n\nhttps://b.test",
  );
});

test("escaped text is restored", () => {
  const text = `<a href="x">'&amp;'</a>`;
  expect(htmlToText(escapeHtml(text))).toBe(text);
});
