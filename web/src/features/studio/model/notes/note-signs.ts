import type { Blockquote, Html, Text } from "mdast";
import { calloutKinds, calloutMarker, calloutNames, type CalloutKind } from "@/domain/callouts.ts";
import { cutToCharacters } from "@/domain/character-count.ts";
import { isPicture } from "../import-paths.ts";
import { pictureMarkdown, sourceRangeOf, type NoteSurroundings } from "./note-surroundings.ts";
import type { TextEdit } from "./text-edits.ts";

/** Which of the library's boxes stands for one of Obsidian. */
const calloutWords: Readonly<Record<CalloutKind, RegExp>> = {
  tip: /^(?:tip|hint|important|success|check|done)$/i,
  warning: /^(?:warning|caution|attention|danger|error|bug|failure|fail|missing)$/i,
  note: /^/,
};
const calloutOrder: readonly CalloutKind[] = ["tip", "warning", "note"];

/** Words as text that no sign in them changes. */
function plain(words: string): string {
  return words.trim().replaceAll(/(?<!\\)[*_~`<]/g, String.raw`\$&`);
}

/** What stands for `[[target|words]]`, or for `![[target]]`, which shows it. */
function wikiLink(
  isShown: boolean,
  inside: string,
  offset: number,
  around: NoteSurroundings,
): string {
  const [target = "", ...rest] = inside.split(/\\?\|/).map((part) => part.trim());
  // A number is the size in which Obsidian shows it.
  const isSized = isShown && /^\d*(?:x\d+)?$/i.test(rest.at(-1) ?? "");
  const alias = (isSized ? rest.slice(0, -1) : rest).join(" ");
  if (isShown && isPicture(target)) {
    const found = around.files.picture(target, around.path);
    if (found === null) {
      around.tell(offset, ["pictureAsName", target]);
      return plain(alias || target);
    }
    return pictureMarkdown(around, found, { description: alias, size: "", offset });
  }
  const [name = "", ...headings] = target.split("#").map((part) => part.trim());
  const heading = headings.join(" ").replace(/^\^/, "");
  const words = alias || [name, heading].filter((part) => part !== "").join(": ") || target;
  if (isShown) around.tell(offset, ["embedMissing", target]);
  else if (name === "") around.tell(offset, ["linkInPage", words]);
  else {
    const found = around.files.note(name, around.path);
    around.tell(
      offset,
      found === null ? ["noteMissing", words, name] : ["noteLinked", words, around.titleOf(found)],
    );
  }
  return plain(words);
}

const wikiPattern = /(!?)\[\[([^[\]\n]{1,500})\]\]/g;
const highlightPattern = /(?<![\p{L}\p{N}=])==(?=[^\s=])([^=\n]*[^\s=])==(?![\p{L}\p{N}=])/gu;
const templatePattern = /\{\{[<%][^\n}]{0,300}\}\}|\{%[^\n}]{0,300}%\}/g;

/** Signs of Obsidian and of templates in a piece of text, or in HTML that stands for nothing. */
export function signEdits(
  markdown: string,
  node: Text | Html,
  around: NoteSurroundings,
): TextEdit[] {
  return node.type === "html" ? htmlEdits(node, around) : textEdits(markdown, node, around);
}

function htmlEdits(node: Html, { tell }: NoteSurroundings): TextEdit[] {
  const range = sourceRangeOf(node);
  const value = node.value.trim();
  if (value.startsWith("<!--") && value.indexOf("-->") === value.length - 3) {
    tell(range.start, ["comment", cutToCharacters(value.slice(4, -3).trim(), 100)]);
    return [{ ...range, text: "" }];
  }
  // The boxes of Notion.
  const words = value
    .replace(/^<aside>\s*/, "")
    .replace(/<\/aside>$/, "")
    .trimEnd();
  if (words === value || words.includes("<")) return [];
  tell(range.start, ["frame"]);
  return [{ ...range, text: words }];
}

function textEdits(markdown: string, node: Text, around: NoteSurroundings): TextEdit[] {
  const { start, end } = sourceRangeOf(node);
  const raw = markdown.slice(start, end);
  const edits: TextEdit[] = [];
  const each = (
    pattern: RegExp,
    replace: (found: RegExpMatchArray, at: number) => string | null,
  ) => {
    for (const found of raw.matchAll(pattern)) {
      const at = start + found.index;
      if (markdown[at - 1] === "\\") continue;
      const text = replace(found, at);
      if (text !== null) edits.push({ start: at, end: at + found[0].length, text });
    }
  };
  each(wikiPattern, ([, sign, inside = ""], at) => wikiLink(sign === "!", inside, at, around));
  each(highlightPattern, ([, words = ""], at) => {
    around.tell(at, ["highlight"]);
    return `**${words}**`;
  });
  each(templatePattern, ([words], at) => {
    around.tell(at, ["template", cutToCharacters(words, 100)]);
    return null;
  });
  return edits;
}

/** A box of Obsidian as one of the library's, with its title as the first words. */
export function calloutEdits(
  markdown: string,
  quote: Blockquote,
  { tell }: NoteSurroundings,
): TextEdit[] {
  const [paragraph] = quote.children;
  const words = paragraph?.type === "paragraph" ? paragraph.children[0] : undefined;
  if (paragraph === undefined || words?.type !== "text") return [];
  const { start } = sourceRangeOf(words);
  const line = markdown.slice(start, markdown.indexOf("\n", start) + 1 || undefined).trimEnd();
  const [marker, name = ""] = /^\[!([\w-]+)\][+-]?[ \t]*/.exec(line) ?? [];
  if (marker === undefined) return [];
  const kind = calloutOrder.find((each) => calloutWords[each].test(name)) ?? "note";
  const isOurs = calloutKinds.some((each) => line === calloutMarker(each));
  if (isOurs) return [];
  tell(start, ["callout", name, calloutNames[kind]]);
  // What stands before the words of each line of the quote; a list's sign only before the first.
  const lineStart = markdown.lastIndexOf("\n", start - 1) + 1;
  const before = markdown
    .slice(lineStart, start)
    .replaceAll(/[-*+]|\d{1,9}[.)]/g, (sign) => " ".repeat(sign.length));
  const own = { start, end: start + marker.length };
  if (line.length === marker.trimEnd().length) return [{ ...own, text: calloutMarker(kind) }];
  const lineEnd = start + line.length;
  const isLast = lineEnd >= sourceRangeOf(paragraph).end;
  return [
    { ...own, text: `${calloutMarker(kind)}\n${before}` },
    ...(isLast ? [] : [{ start: lineEnd, end: lineEnd, text: `\n${before.trimEnd()}` }]),
  ];
}
