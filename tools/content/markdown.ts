import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { ReportIssue } from "./library.ts";

/** The properties of a parsed Markdown node that the rules use. */
interface MarkdownNode {
  type: string;
  url?: string;
  depth?: number;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { line: number } };
}

/** Parses Markdown with the parser and extensions that the app renders it with. */
function parse(markdown: string): MarkdownNode {
  let root: MarkdownNode = { type: "root" };
  const keep = () => (tree: MarkdownNode) => {
    root = structuredClone(tree);
  };
  Markdown({ children: markdown, remarkPlugins: [remarkGfm, keep] });
  return root;
}

function* walk(node: MarkdownNode): Generator<MarkdownNode> {
  yield node;
  for (const child of node.children ?? []) yield* walk(child);
}

/** The text of a node. */
function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname } = new URL(url);
  return protocol === "https:" && username === "" && password === "" && hostname.includes(".");
}

function checkNode(node: MarkdownNode, report: (message: string) => void): void {
  if (node.type === "html") report("Raw HTML is not allowed; write Markdown.");
  if (node.type === "image" || node.type === "imageReference") {
    report("Images are not allowed; the app draws covers itself.");
  }
  if ((node.type === "link" || node.type === "definition") && !isSafeLink(node.url ?? "")) {
    report(`The link to \`${node.url ?? ""}\` is not allowed; links must be full https addresses.`);
  }
}

/**
 * Reports everything that the library does not allow in a text.
 * @param firstLine line of the file on which the text begins.
 * @returns the texts of its headings, in order.
 */
export function checkMarkdown(markdown: string, firstLine: number, report: ReportIssue): string[] {
  const headings: string[] = [];
  let depth = 1;
  for (const node of walk(parse(markdown))) {
    const line = firstLine + (node.position?.start.line ?? 1) - 1;
    checkNode(node, (message) => report(line, message));
    if (node.type !== "heading") continue;
    const next = node.depth ?? 1;
    if (next === 1) report(line, "Headings begin at `##`; the title is the only heading above.");
    else if (next > depth + 1) {
      report(line, `A heading of level ${next} follows one of level ${depth}; leave none out.`);
    }
    depth = Math.max(next, 1);
    headings.push(textOf(node).trim());
  }
  return headings;
}

/** Number of words, without Markdown syntax. */
export function countWords(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Minutes to read a text at 200 words a minute, rounded up. */
export function readingMinutes(markdown: string): number {
  return Math.max(1, Math.ceil(countWords(markdown) / 200));
}
