import type { Image, Link, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { markdownBoundIssue } from "@/domain/markdown-bounds.ts";
import { headingEdits } from "./note-headings.ts";
import { calloutEdits, signEdits } from "./note-signs.ts";
import {
  isSameTitle,
  pictureMarkdown,
  sourceRangeOf,
  titleHeading,
  type NoteSurroundings,
} from "./note-surroundings.ts";
import { applyEdits, type EditedText, type TextEdit } from "./text-edits.ts";

/** The parser and extensions with which the app renders Markdown. */
const parser = unified().use(remarkParse).use(remarkGfm);

function imageEdit(markdown: string, node: Image, around: NoteSurroundings): TextEdit[] {
  const range = sourceRangeOf(node);
  const url = node.url.trim();
  const found = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(url)
    ? null
    : around.files.picture(url, around.path);
  if (found === null) {
    const isElsewhere = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i.test(url);
    const isOther = /\.(?!jpe?g|png|webp)\w{2,5}$/i.test(url);
    const why = isElsewhere ? "pictureElsewhere" : isOther ? "pictureKind" : "pictureMissing";
    around.refuse(range.start, [why, url.slice(0, 200)]);
    return [];
  }
  if (node.title) around.tell(range.start, ["pictureTitle", node.title]);
  const size = /#[1-9]\d{0,3}x[1-9]\d{0,3}$/.exec(url)?.[0] ?? "";
  const text = pictureMarkdown(around, found, {
    description: node.alt ?? "",
    size,
    offset: range.start,
  });
  return markdown.slice(range.start, range.end) === text ? [] : [{ ...range, text }];
}

function isHttps(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname } = new URL(url);
  return protocol === "https:" && username === "" && password === "" && hostname.includes(".");
}

/** Takes the mark-up of a link off its words, which keep theirs. */
function unlinked(markdown: string, node: Link, after: string): TextEdit[] {
  const { start, end } = sourceRangeOf(node);
  const [first, last] = [node.children.at(0), node.children.at(-1)];
  const isBare = first !== undefined && sourceRangeOf(first).start === start;
  if (first === undefined || last === undefined || isBare || markdown[start] === "<") {
    // An address that stands for itself would become a link again.
    return [{ start, end, text: after === "" ? toString(node) : after.trimStart() }];
  }
  return [
    { start, end: sourceRangeOf(first).start, text: "" },
    { start: sourceRangeOf(last).end, end, text: after },
  ];
}

/** What becomes of a link; nothing when it may stand as it is. */
function linkEdits(markdown: string, node: Link, around: NoteSurroundings): TextEdit[] {
  const { start, end } = sourceRangeOf(node);
  const words = toString(node).trim();
  if (isHttps(node.url)) return [];
  if (/^http:/i.test(node.url) && isHttps(node.url.replace(/^http/i, "https"))) {
    around.tell(start, ["linkSecured", node.url]);
    const raw = markdown.slice(start, end);
    const lastWord = raw.split(/\s/).at(-1) ?? "";
    const inWord = lastWord.search(/http:\/\//i);
    const at = inWord < 0 ? -1 : raw.length - lastWord.length + inWord;
    return at < 0
      ? [{ start, end, text: `[${raw}](${node.url.replace(/^http/i, "https")})` }]
      : [{ start: start + at, end: start + at + "http".length, text: "https" }];
  }
  if (/^(?:javascript|vbscript|data):/i.test(node.url)) {
    around.tell(start, ["linkUnsafe"]);
    return unlinked(markdown, node, "");
  }
  if (/^[a-z][a-z\d+.-]+:/i.test(node.url)) {
    around.tell(start, ["linkAsText", node.url]);
    const address = node.url.replace(/^(?:mailto|tel):/i, "").replaceAll("`", "");
    const isSaid = words === address && markdown[start] === "[";
    return unlinked(markdown, node, isSaid && !words.includes("@") ? "" : ` \`${address}\``);
  }
  const target = around.files.note(node.url, around.path);
  if (node.url.startsWith("#")) around.tell(start, ["linkInPage", words]);
  else if (target === null) {
    around.tell(start, ["noteMissing", words, node.url]);
  } else around.tell(start, ["noteLinked", words, around.titleOf(target)]);
  return unlinked(markdown, node, "");
}

/** Writes links and images by reference as inline ones where their address can't stay, so that there is one way to treat them. */
export function inlineReferences(markdown: string): EditedText {
  if (!markdown.includes("]:")) return applyEdits(markdown, []);
  const tree = parser.parse(markdown);
  const tails = new Map<string, { isLink: boolean; text: string }>();
  const edits: TextEdit[] = [];
  visit(tree, "definition", (node) => {
    const url = node.url.replaceAll(/[<>\s]/g, encodeURIComponent);
    const title = node.title ? ` ${JSON.stringify(node.title)}` : "";
    const isLink = isHttps(node.url);
    if (!isLink) edits.push({ ...sourceRangeOf(node), text: "" });
    if (!tails.has(node.identifier)) {
      tails.set(node.identifier, { isLink, text: `(<${url}>${title})` });
    }
  });
  visit(tree, (node) => {
    if (node.type !== "linkReference" && node.type !== "imageReference") return;
    const tail = tails.get(node.identifier);
    if (tail === undefined || (node.type === "linkReference" && tail.isLink)) return;
    const { start, end } = sourceRangeOf(node);
    const raw = markdown.slice(start, end);
    const at = node.referenceType === "shortcut" ? raw.length : raw.lastIndexOf("[");
    edits.push({ start: start + at, end, text: tail.text });
  });
  return applyEdits(markdown, edits);
}

/** Kinds of blocks in order, and every piece of code: what no rewriting may change. */
function skeleton(tree: Root): string {
  const parts: string[] = tree.children
    .filter(({ type }) => type !== "html" && type !== "definition" && type !== "paragraph")
    .map(({ type }) => type);
  visit(tree, "code", ({ value, lang }) => void parts.push(`${lang ?? ""} ${value}`));
  return parts.join("\n");
}

/**
 * The text of a note as a draft holds it: links and pictures found in the import, headings from the second level. Only what the
 * parser calls a link, a picture, a heading or a word is changed, at its place, and never code.
 * @param title the title of the draft; a first heading that says the same is left out.
 */
export function rewriteNote(
  markdown: string,
  title: string | null,
  around: NoteSurroundings,
): EditedText {
  const tree = parser.parse(markdown);
  const edits: TextEdit[] = [...headingEdits(markdown, tree, title, around)];
  visit(tree, (node) => {
    if (node.type === "image") edits.push(...imageEdit(markdown, node, around));
    if (node.type === "link") edits.push(...linkEdits(markdown, node, around));
    if (node.type === "blockquote") edits.push(...calloutEdits(markdown, node, around));
    if (node.type === "text" || node.type === "html") {
      edits.push(...signEdits(markdown, node, around));
    }
  });
  const edited = applyEdits(markdown, edits);
  if (edits.length === 0) return edited;
  const isWhole = skeleton(parser.parse(edited.text)) === skeleton(withoutTitle(tree, title));
  if (!isWhole) around.refuse(0, ["damaged"]);
  return edited;
}

function withoutTitle(tree: Root, title: string | null): Root {
  const first = titleHeading(tree);
  const isTitle = first !== null && title !== null && isSameTitle(toString(first), title);
  return isTitle ? { ...tree, children: tree.children.filter((node) => node !== first) } : tree;
}

/** The tree of a text as the app reads it; an empty one for a text over the bounds, which no draft takes. */
export function parseNote(markdown: string): Root {
  return markdownBoundIssue(markdown) === null
    ? parser.parse(markdown)
    : { type: "root", children: [] };
}
