import type { Image, Nodes, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { imageAtStart, maxPictureDescription, toTextPicture } from "./content-pictures.ts";
import { markdownBoundIssue, maxLinkLength } from "./markdown-bounds.ts";
import { safeLink } from "./safe-link.ts";

/** The parser and extensions with which the app renders Markdown. */
const parser = unified().use(remarkParse).use(remarkGfm);

/** The tree of a text, as the reader shows it. */
export function parseMarkdown(markdown: string): Root {
  return parser.parse(markdown);
}

const foreignPicture =
  "Only pictures that were uploaded here are allowed; insert them with the editor’s “Picture”.";

/** What the check of a text knows of what is around it. */
export interface MarkdownSurroundings {
  /** True for an address that names a picture beside the text. */
  readonly isPicture: (address: string) => boolean;
}

function checkPicture(
  raw: string,
  { alt }: Image,
  { isPicture }: MarkdownSurroundings,
  report: (message: string) => void,
): void {
  // The database takes no other way of writing one.
  const { address } = imageAtStart(raw) ?? { address: "" };
  if (toTextPicture(address) === null && !isPicture(address)) report(foreignPicture);
  const length = Array.from(alt?.trim() ?? "").length;
  if (length === 0 || length > maxPictureDescription) {
    report(`Describe the picture in 1 to ${maxPictureDescription} characters.`);
  }
}

function checkNode(node: Nodes, report: (message: string) => void): void {
  if (node.type === "html") report("Raw HTML is not allowed; write Markdown.");
  if (node.type === "imageReference") report(foreignPicture);
  if ((node.type === "link" || node.type === "definition") && safeLink(node.url) === null) {
    const words = toString(node).trim();
    report(
      node.url.length > maxLinkLength
        ? `The link to \`${node.url.slice(0, 60)}…\` is longer than ${maxLinkLength} characters.`
        : `The link ${words === "" ? "" : `on “${words}” `}to ${node.url} doesn't work here. Use an address that begins with https://, or a path of this site that begins with /.`,
    );
  }
}

/**
 * Reports everything that the library does not allow in a text. One over the bounds of Markdown is not parsed.
 * @param firstLine line of the file on which the text begins.
 * @param around which pictures there are beside the text; none unless given.
 * @returns the texts of its headings, in order.
 */
export function checkMarkdown(
  markdown: string,
  firstLine: number,
  report: (line: number, message: string) => void,
  around: MarkdownSurroundings = { isPicture: () => false },
): string[] {
  const headings: string[] = [];
  const bound = markdownBoundIssue(markdown);
  if (bound !== null) {
    report(firstLine + bound.line - 1, bound.message);
    return headings;
  }
  let depth = 1;
  visit(parseMarkdown(markdown), (node) => {
    const line = firstLine + (node.position?.start.line ?? 1) - 1;
    const tell = (message: string) => report(line, message);
    checkNode(node, tell);
    if (node.type === "image") {
      const start = node.position?.start.offset ?? markdown.length;
      checkPicture(markdown.slice(start), node, around, tell);
    }
    if (node.type !== "heading") return;
    if (node.depth === 1) {
      report(line, "Headings begin at `##`; the title is the only heading above.");
    } else if (node.depth > depth + 1) {
      report(
        line,
        `A heading of level ${node.depth} follows one of level ${depth}; leave none out.`,
      );
    }
    depth = node.depth;
    headings.push(toString(node).trim());
  });
  return headings;
}
