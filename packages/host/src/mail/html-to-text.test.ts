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

test("only what a mail reader shows becomes text", () => {
  const html = `<!-- note --><script>alert(1)</script><div hidden style="display:none">Beside the subject</div><p>One<img src="https://a.test/logo.png" alt="Logo"></p>
    <p>Two &copy; &#x41; <a name="here">three</a></p><p>a < b <b>and</b> <a href="https://a.test/"></a></p>`;
  expect(htmlToText(html)).toBe("One\n\nTwo © A three\n\na < b and https://a.test/");
});

test.each([
  ["tags that never close", "<div>".repeat(20_000)],
  ["links in links", '<a href="https://a.test">'.repeat(2000)],
  ["an open tag without an end", `<a href="${"x".repeat(200_000)}`],
  ["comments and quotes", `<!--${"<a ".repeat(50_000)}`],
])("hostile input (%s) is converted in a moment", (_name, html) => {
  expect(htmlToText(`<p>Hello</p>${html}`).startsWith("Hello")).toBe(true);
});
