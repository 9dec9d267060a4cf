import type { Nodes } from "mdast";
import { toString } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

/** The parser and extensions with which the app renders Markdown. */
const parser = unified().use(remarkParse).use(remarkGfm);

function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password, hostname } = new URL(url);
  return protocol === "https:" && username === "" && password === "" && hostname.includes(".");
}

function checkNode(node: Nodes, report: (message: string) => void): void {
  if (node.type === "html") report("Raw HTML is not allowed; write Markdown.");
  if (node.type === "image" || node.type === "imageReference") {
    report("Images are not allowed; the app draws covers itself.");
  }
  if ((node.type === "link" || node.type === "definition") && !isSafeLink(node.url)) {
    report(`The link to \`${node.url}\` is not allowed; links must be full https addresses.`);
  }
}

/**
 * Reports everything that the library does not allow in a text.
 * @param firstLine line of the file on which the text begins.
 * @returns the texts of its headings, in order.
 */
export function checkMarkdown(
  markdown: string,
  firstLine: number,
  report: (line: number, message: string) => void,
): string[] {
  const headings: string[] = [];
  let depth = 1;
  visit(parser.parse(markdown), (node) => {
    const line = firstLine + (node.position?.start.line ?? 1) - 1;
    checkNode(node, (message) => report(line, message));
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
