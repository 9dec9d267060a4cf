import { describe, expect, it } from "vitest";
import type { MessageBlock, MessageInline } from "./markdown-nodes.ts";
import { parseMessage } from "./message-markdown.ts";

function inlineText(inlines: readonly MessageInline[]): string {
  return inlines
    .map((each) => {
      if (each.kind === "text") return each.text;
      if (each.kind === "code") return `<code ${each.text}>`;
      if (each.kind === "link") return `<link ${each.href} ${inlineText(each.children)}>`;
      return `<${each.kind} ${inlineText(each.children)}>`;
    })
    .join("");
}

/** The blocks in a short form. */
function shown(blocks: readonly MessageBlock[]): unknown[] {
  return blocks.map((block) => {
    if (block.kind === "text") return inlineText(block.children);
    if (block.kind === "code") return { code: block.text };
    const items = block.items.map(({ number, blocks: inner }) =>
      number === null ? shown(inner) : [number, ...shown(inner)],
    );
    return { list: items };
  });
}

const read = (text: string) => shown(parseMessage(text));

describe("light Markdown", () => {
  it.each([
    [
      "**bold** and *italic* or _italic_",
      "<strong bold> and <emphasis italic> or <emphasis italic>",
    ],
    ["**bold *and italic* here**", "<strong bold <emphasis and italic> here>"],
    ["(*aside*), “**quoted**”!", "(<emphasis aside>), “<strong quoted>”!"],
    ["*it* **is** 😀*fun*😀", "<emphasis it> <strong is> 😀<emphasis fun>😀"],
    ["`a * b` and ``c`d``", "<code a * b> and <code c`d>"],
    ["`https://example.com` stays", "<code https://example.com> stays"],
    ["one\ntwo\n\n\n  three **3**", "one\ntwo\n\n\n  three <strong 3>"],
    ["**one\ntwo**", "<strong one\ntwo>"],
    [
      "see **https://example.com/a**",
      "see <strong <link https://example.com/a https://example.com/a>>",
    ],
    [
      "[the *guide*](https://example.com/a_b_c)",
      "<link https://example.com/a_b_c the <emphasis guide>>",
    ],
    ["[us](mailto:us@example.com)", "<link mailto:us@example.com us>"],
    ["[www.example.com](https://example.com/x)", "<link https://example.com/x www.example.com>"],
  ])("%s", (text, line) => {
    expect(read(text)).toEqual([line]);
  });

  it.each([
    ["- one\n- **two**\nthen", [{ list: [["one"], ["<strong two>"]] }, "then"]],
    ["First:\n* one\n* two\n\nthen", ["First:", { list: [["one"], ["two"]] }, "then"]],
    [
      "3. Tom\n7. Ada",
      [
        {
          list: [
            [3, "Tom"],
            [7, "Ada"],
          ],
        },
      ],
    ],
    ["- a\n  more\n- b\n  - c\n  - d", [{ list: [["a\nmore"], ["b", { list: [["c"], ["d"]] }]] }]],
    [
      "Try\n```ts\nif (a) {\n  b **= 2;\n}\n```\nor",
      ["Try", { code: "if (a) {\n  b **= 2;\n}" }, "or"],
    ],
    ["~~~\n- x\n~~~", [{ code: "- x" }]],
  ])("%j has blocks", (text, blocks) => {
    expect(read(text)).toEqual(blocks);
  });
});

describe("what was only typed", () => {
  it.each([
    "2*3*4 and 2**3**4",
    "5 * 3 * 2 = 30",
    "snake_case_name and __init__",
    "¯\\_(ツ)_/¯ and ^_^ or ^_^",
    "*_* and (*) (*)",
    "# Not a heading\n===\n> not a quote\n---",
    "    four spaces\n\ttab",
    "<b>not bold</b> &amp; &#42;",
    "\\*kept\\*",
    "- Churchill",
    "1986. What a year\n1987. Another",
    "1) one\n2) two",
    "+ one\n+ two",
    "-\n- b",
    "* * *",
    "| a | b |\n|---|---|\n| c | d |",
    "```",
    "```\nnot closed",
    "``` ```",
    "` `",
    "**",
    "****",
    "[]()",
    "[x](javascript:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](data:text/html,y)",
    "[x](//example.com)",
    "[x](/chats)",
    "[x](mailto:)",
    "[x]\n\n[x]: javascript:alert(1)",
    "- [ ] task",
    "[ ](x)",
  ])("%j reads as typed", (text) => {
    expect(read(text)).toEqual([text]);
  });

  it.each([
    [
      "![x](https://example.com/p.png)",
      "![x](<link https://example.com/p.png https://example.com/p.png>)",
    ],
    ["[x](https://me:word@example.com)", "[x](https://me:word@example.com)"],
    [
      "[bank.example](https://evil.test)",
      "[bank.example](<link https://evil.test/ https://evil.test>)",
    ],
    [
      "[me@bank.example](https://bank.example)",
      "[me@bank.example](<link https://bank.example/ https://bank.example>)",
    ],
    [
      "https://example.com/(*a*)/b_c_d",
      "<link https://example.com/(*a*)/b_c_d https://example.com/(*a*)/b_c_d>",
    ],
    ["- **Note** this", "- <strong Note> this"],
  ])("%s keeps what does not count", (text, line) => {
    expect(read(text)).toEqual([line]);
  });
});

describe("hostile messages", () => {
  const length = 4000;
  const hostile = [
    "[,[](,[a](b,*a_ ,**a *a ,_*,*,*a,`a``b```c,- ,*\t,1. ,(,![,[a](https://b.c),https://a.b/*,a.",
    "- a\n,  - a\n,~~~\n,```\n,\n",
  ]
    .flatMap((parts) => parts.split(","))
    .map((part) => [part, part.repeat(Math.floor(length / part.length))] as const);
  const nested = Array.from({ length: 60 }, (_, depth) => `${" ".repeat(2 * depth)}- a`).join("\n");

  it.each([...hostile, ["a staircase of lists", nested] as const])(
    "%j many times is read whole, without deep nesting",
    (_part, text) => {
      const blocks = parseMessage(text);
      expect(blocks.length).toBeGreaterThan(0);
      expect(depthOf(blocks)).toBeLessThan(16);
    },
  );

  it.each(["[", "*a_ ", "- ", "- a\n"])("so many of %j read as typed", (part) => {
    const text = part.repeat(1000);
    expect(read(text)).toEqual([text]);
  });
});

function depthOf(parts: readonly (MessageBlock | MessageInline)[]): number {
  const depths = parts.map((part) => {
    if (part.kind === "list") return depthOf(part.items.flatMap(({ blocks }) => blocks));
    return "children" in part ? depthOf(part.children) : 0;
  });
  return 1 + Math.max(0, ...depths);
}
