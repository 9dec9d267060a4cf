import type { JSONContent } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import type { Root, RootContent } from "mdast";
import { visit } from "unist-util-visit";
import { parseMarkdown } from "@/domain/library-markdown.ts";
import { markdownBoundIssue, maxLinkLength } from "@/domain/markdown-bounds.ts";
import { blockNodes, BlockReader, keptBlock } from "./block-content.ts";
import type { LinkWriting } from "./inline-content.ts";
import { blockMeaning, meaningOf, writeNodes } from "./markdown-tree.ts";

/** A block of a text as it was written. */
interface BlockSource {
  readonly markdown: string;
  /** What stands between the block before, or the beginning, and this one. */
  readonly before: string;
}

/** A text as the editor opens it. */
export interface OpenedText {
  readonly document: JSONContent;
  readonly sources: readonly BlockSource[];
  readonly lineEnd: "\n" | "\r\n";
  /** What stands behind the last block. */
  readonly end: string;
  /** False when writing the whole text anew would change what it says. */
  readonly isFaithful: boolean;
}

/** Deeper texts are not opened: the browser could run out of memory for them. */
const maxDepth = 40;

/** The editor's document of a text; null when it is too deeply nested, or too much in another way, to be edited. */
export function openText(text: string): OpenedText | null {
  const markdown = text.replaceAll(/\r\n?/gu, "\n");
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const root = treeOf(markdown);
  if (root === null) return null;
  const definitions = new Map<string, { url: string; title?: string | null | undefined }>();
  visit(root, "definition", (node) => {
    if (!definitions.has(node.identifier)) definitions.set(node.identifier, node);
  });
  const { sources, end } = sourcesOf(markdown, root.children);
  let blocks = new BlockReader(definitions).read(root.children);
  let isFaithful = meaningOf(writeBlocks(blocks)) === meaningOf(root);
  for (let round = 0; round < 2 && !isFaithful; round += 1) {
    blocks = keepUnfaithful(root, blocks, sources);
    isFaithful = meaningOf(writeBlocks(blocks)) === meaningOf(root);
  }
  const content = blocks.length === 0 ? [{ type: "paragraph" }] : blocks;
  return { document: { type: "doc", content }, sources, end, lineEnd, isFaithful };
}

function treeOf(markdown: string): Root | null {
  if (markdownBoundIssue(markdown) !== null) return null;
  let deepest = 0;
  let hasLongLinks = false;
  try {
    const root = parseMarkdown(markdown);
    measure(root, 0);
    return deepest > maxDepth || hasLongLinks ? null : root;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  function measure(node: Root | RootContent, depth: number): void {
    deepest = Math.max(deepest, depth);
    if (node.type === "definition" && node.url.length > maxLinkLength) hasLongLinks = true;
    if (depth <= maxDepth && "children" in node) {
      for (const child of node.children) measure(child, depth + 1);
    }
  }
}

/** The blocks with their lines, and what stands between them. */
function sourcesOf(markdown: string, nodes: readonly RootContent[]) {
  const sources: BlockSource[] = [];
  let place = 0;
  for (const { position } of nodes) {
    const start = position?.start.offset ?? place;
    const end = position?.end.offset ?? start;
    // From the beginning of its line: the block may be indented.
    const line = Math.max(place, markdown.lastIndexOf("\n", start - 1) + 1);
    sources.push({ markdown: markdown.slice(line, end), before: markdown.slice(place, line) });
    place = end;
  }
  return { sources, end: markdown.slice(place) };
}

/** Keeps as Markdown every block that the editor would write otherwise. */
function keepUnfaithful(
  root: Root,
  blocks: readonly JSONContent[],
  sources: readonly BlockSource[],
): JSONContent[] {
  const again = parseMarkdown(writeBlocks(blocks)).children;
  // Without as many blocks nothing says which of them are wrong: each is tried alone.
  const isSame = again.length === blocks.length ? inPlace : alone;
  const stubs = root.children.filter(
    ({ type }) => type === "definition" || type === "footnoteDefinition",
  );
  const links = linksOf(blocks);
  const same = blocks.map((block, index) => {
    const node = root.children[index];
    return node !== undefined && isSame(node, block, index);
  });
  return blocks.map((block, index) => {
    if (same[index] === true && !touchesKeptList(index)) return block;
    const defines: unknown = block.attrs?.["defines"];
    const markdown = sources[index]?.markdown ?? "";
    // An open fence ends with the empty lines below it, which are written between blocks.
    const lines = index === blocks.length - 1 ? markdown : markdown.replace(/\n{1,2}$/u, "");
    return keptBlock(lines, typeof defines === "string" ? defines : null);
  });

  /** Lists that touch stay apart by their markers, so they are kept together. */
  function touchesKeptList(index: number): boolean {
    return [-1, 1].some((step) => {
      let at = index;
      while (isListNode(root.children[at]) && isListNode(root.children[at + step])) {
        at += step;
        if (same[at] === false) return true;
      }
      return false;
    });
  }

  function inPlace(node: RootContent, _block: JSONContent, index: number): boolean {
    const other = again[index];
    return other !== undefined && blockMeaning(other) === blockMeaning(node);
  }

  function alone(node: RootContent, block: JSONContent): boolean {
    const written = `${writeNodes(blockNodes([block], links))}\n\n${writeNodes(stubs)}`;
    const [first, ...more] = parseMarkdown(written).children;
    return (
      first !== undefined &&
      more.length === stubs.length &&
      blockMeaning(first) === blockMeaning(node)
    );
  }
}

const isListNode = (node: RootContent | undefined): boolean => node?.type === "list";

/** References stay references while the text has what they refer to. */
function linksOf(blocks: readonly JSONContent[]): LinkWriting {
  const defined = new Set<string>();
  const look = (node: JSONContent): void => {
    const defines: unknown = node.attrs?.["defines"];
    if (typeof defines === "string") defined.add(defines);
    for (const child of node.content ?? []) look(child);
  };
  for (const block of blocks) look(block);
  return { isDefined: (label) => defined.has(identifierOf(label)) };
}

/** As Markdown compares labels. */
function identifierOf(label: string): string {
  return label
    .replaceAll(/[\t\n\r ]+/gu, " ")
    .trim()
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();
}

/** The Markdown of all blocks, written anew. */
export function writeBlocks(blocks: readonly JSONContent[]): string {
  return writeNodes(blockNodes(blocks, linksOf(blocks)));
}

/** Writes the text of an editor: what was not touched stands as it stood, letter for letter. */
export class TextWriter {
  readonly #opened: OpenedText;
  readonly #places = new Map<string, number[]>();

  /** @param first the document as the editor opened it. */
  constructor(opened: OpenedText, first: Node) {
    this.#opened = opened;
    if (opened.sources.length === 0) return;
    first.forEach((block, _offset, index) => {
      const key = keyOf(block);
      this.#places.set(key, [...(this.#places.get(key) ?? []), index]);
    });
  }

  write(document: Node): string {
    const blocks: JSONContent[] = document.toJSON().content ?? [];
    const links = linksOf(blocks);
    const pieces = this.#pieces(document, blocks, links);
    const { sources, end, lineEnd } = this.#opened;
    let text = "";
    let before: number | null = -1;
    for (const { place, markdown } of pieces) {
      const source = place === null ? undefined : sources[place];
      const follows = source !== undefined && before !== null && place === before + 1;
      if (follows) text += source.before;
      else if (text !== "") text += "\n\n";
      text += source === undefined ? markdown : source.markdown;
      before = place;
    }
    if (before === sources.length - 1) text += end;
    else if (end.startsWith("\n")) text += "\n";
    return text.replaceAll("\n", lineEnd);
  }

  /** The blocks to write: the untouched with their place in the opened text. Lists that touch are written together. */
  #pieces(document: Node, blocks: readonly JSONContent[], links: LinkWriting) {
    const places = this.#placesOf(document);
    const pieces: { place: number | null; markdown: string }[] = [];
    for (let index = 0; index < blocks.length; index += 1) {
      const run = blocks.slice(index, index + listsFrom(blocks, index));
      const isKept = run.every((_, at) => {
        const place = places[index + at] ?? null;
        return place !== null && (at === 0 || place === (places[index] ?? 0) + at);
      });
      if (isKept) {
        for (const [at] of run.entries()) {
          pieces.push({ place: places[index + at] ?? null, markdown: "" });
        }
      } else {
        const markdown = writeNodes(blockNodes(run, links));
        if (markdown !== "") pieces.push({ place: null, markdown });
      }
      index += run.length - 1;
    }
    return pieces;
  }

  #placesOf(document: Node): (number | null)[] {
    const { sources } = this.#opened;
    let expected = 0;
    const places: (number | null)[] = [];
    document.forEach((block, _offset, index) => {
      const all = this.#places.get(keyOf(block)) ?? [];
      const place = all.find((each) => each >= expected) ?? null;
      const source = place === null ? undefined : sources[place];
      // An indented block means what it means only where it stood, and an open one only at the end.
      const isBound =
        place !== null &&
        ((/^[ \t]/u.test(source?.markdown ?? "") && (places[index - 1] ?? -1) !== place - 1) ||
          (place === sources.length - 1 &&
            block.type.name === "codeBlock" &&
            index !== document.childCount - 1));
      places.push(source === undefined || isBound ? null : place);
      if (place !== null) expected = place + 1;
    });
    return places;
  }
}

const keyOf = (block: Node): string => JSON.stringify(block.toJSON());

const isList = (block: JSONContent | undefined): boolean =>
  block?.type === "bulletList" || block?.type === "orderedList";

/** How many blocks from here on are lists of one kind; 1 for any other block. */
function listsFrom(blocks: readonly JSONContent[], start: number): number {
  let end = start + 1;
  if (isList(blocks[start])) {
    while (isList(blocks[end])) end += 1;
  }
  return end - start;
}
