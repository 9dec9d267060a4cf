import type { Heading, Root } from "mdast";
import { toString } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import {
  isSameTitle,
  sourceRangeOf,
  titleHeading,
  type NoteSurroundings,
} from "./note-surroundings.ts";
import type { TextEdit } from "./text-edits.ts";

/** The heading with another level, in place of the signs that give it its own. */
function levelEdits(markdown: string, heading: Heading, level: number): TextEdit[] {
  const { start, end } = sourceRangeOf(heading);
  const raw = markdown.slice(start, end);
  const signs = "#".repeat(level);
  const atx = /^#{1,6}/.exec(raw)?.[0];
  if (atx !== undefined) return [{ start, end: start + atx.length, text: signs }];
  const last = heading.children.at(-1);
  const words = last === undefined ? start : sourceRangeOf(last).end;
  const isLong = markdown.slice(start, words).includes("\n");
  if (isLong) {
    // Words on two lines are a heading only with a line below them, which gives the second level at least.
    return level === 2
      ? [{ start: words, end, text: raw.slice(words - start).replaceAll("=", "-") }]
      : [];
  }
  return [
    { start, end: start, text: `${signs} ` },
    { start: words, end, text: "" },
  ];
}

/**
 * Headings from the second level on, none left out, each below the ones it was below; a first one that is the title is taken out.
 */
export function headingEdits(
  markdown: string,
  tree: Root,
  title: string | null,
  { tell }: Pick<NoteSurroundings, "tell">,
): TextEdit[] {
  const edits: TextEdit[] = [];
  const above: { from: number; to: number }[] = [];
  const first = titleHeading(tree);
  const titled =
    first !== null && title !== null && isSameTitle(toString(first), title) ? first : null;
  if (titled !== null) edits.push({ ...sourceRangeOf(titled), text: "" });
  let moved: number | null = null;
  visit(tree, "heading", (node) => {
    if (node === titled) return;
    while ((above.at(-1)?.from ?? 0) >= node.depth) above.pop();
    const level = Math.min(6, (above.at(-1)?.to ?? 1) + 1);
    above.push({ from: node.depth, to: level });
    if (level === node.depth) return;
    moved ??= sourceRangeOf(node).start;
    edits.push(...levelEdits(markdown, node, level));
  });
  if (moved !== null) tell(moved, ["headingsMoved"]);
  return edits;
}
