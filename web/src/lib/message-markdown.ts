import remarkParse from "remark-parse";
import { unified } from "unified";
import type { MessageBlock, MessageInline } from "./markdown-nodes.ts";
import { createMarkdownReader, joinTexts } from "./markdown-reader.ts";

// Messages have bold, italic, code, lists and links. Everything else that Markdown knows is text.
const parser = unified()
  .data("micromarkExtensions", [
    {
      disable: {
        null: [
          "autolink",
          "blockQuote",
          "characterEscape",
          "characterReference",
          "codeIndented",
          "definition",
          "hardBreakEscape",
          "headingAtx",
          "htmlFlow",
          "htmlText",
          "labelStartImage",
          "setextUnderline",
          "thematicBreak",
        ],
      },
    },
  ])
  .use(remarkParse);

// Most messages have none of it and need no parser.
const mayHoldMarkup = /[*_`[]|~~~|^[ \t]*(?:-|\d+\.)[ \t]/mu;
// The parser's time grows with the square of these. More than a written message has is shown as typed.
const markers = /[*_`[~]/gu;
const maxMarkers = 250;
const listMarkers = /(?:^|[ \t])(?:[-*]|\d+\.)(?=[ \t])/gmu;
const maxListMarkers = 100;
const fence = /^[ \t]*(?:`{3}|~{3})/u;
const listLine = /^[ \t]*(?:[-*]|\d+\.)[ \t]/u;

/**
 * Reads the light Markdown of a message. What is no markup keeps every character as typed, spaces
 * and empty lines included, and nothing that was typed becomes invisible.
 */
export function parseMessage(content: string): readonly MessageBlock[] {
  if (!mayHoldMarkup.test(content) || isTooMuch(content)) {
    return createMarkdownReader(content).read([]);
  }
  const blocks = splitAfterLists(content).flatMap((part, index) => {
    const source = index === 0 ? part : `\n${part}`;
    return createMarkdownReader(source).read(parser.parse(source).children);
  });
  return joinText(blocks);
}

function isTooMuch(content: string): boolean {
  return (
    (content.match(markers)?.length ?? 0) > maxMarkers ||
    (content.match(listMarkers)?.length ?? 0) > maxListMarkers
  );
}

/** In Markdown a line right below a list belongs to its last item. In a message the text goes on. */
function splitAfterLists(content: string): readonly string[] {
  const parts: string[][] = [[]];
  let inCode = false;
  let inList = false;
  for (const line of content.split("\n")) {
    const isItem = !inCode && listLine.test(line);
    if (inList && !inCode && !isItem && /^[^ \t\r]/u.test(line)) {
      parts.push([]);
      inList = false;
    }
    inList ||= isItem;
    if (fence.test(line)) inCode = !inCode;
    parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join("\n"));
}

/** Joins text blocks beside each other. The layout makes the space around lists and code. */
function joinText(blocks: readonly MessageBlock[]): readonly MessageBlock[] {
  const joined: MessageBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", children: [...last.children, ...block.children] };
    } else joined.push(block);
  }
  return joined.flatMap((block, index): MessageBlock[] => {
    if (block.kind !== "text") return [block];
    const inlines = joinTexts(block.children);
    const children = inlines.flatMap((each, place) =>
      trimmed(
        each,
        index > 0 && place === 0,
        index < joined.length - 1 && place === inlines.length - 1,
      ),
    );
    return children.length === 0 ? [] : [{ kind: "text", children }];
  });
}

function trimmed(inline: MessageInline, atStart: boolean, atEnd: boolean): MessageInline[] {
  if (inline.kind !== "text") return [inline];
  const started = atStart ? inline.text.replace(/^\s*\n/u, "") : inline.text;
  const text = atEnd ? started.trimEnd() : started;
  return text === "" ? [] : [{ kind: "text", text }];
}
