import type { JSONContent } from "@tiptap/core";
import type {
  BlockContent,
  Blockquote,
  DefinitionContent,
  List,
  ListItem,
  Paragraph,
  PhrasingContent,
  RootContent,
  Table,
  TableRow,
} from "mdast";
import { calloutKinds, calloutMarker, readCallout, type CalloutKind } from "@/domain/callouts.ts";
import { inlineNodes, InlineReader, type Definitions, type LinkWriting } from "./inline-content.ts";
import { writeNodes } from "./markdown-tree.ts";

type Block = BlockContent | DefinitionContent;

/** The kind of callout that a value names, or null. */
export function calloutKindOf(value: unknown): CalloutKind | null {
  return calloutKinds.find((kind) => kind === value) ?? null;
}

/** A block that the editor keeps as Markdown. */
export function keptBlock(markdown: string, defines: string | null = null): JSONContent {
  return { type: "keptBlock", attrs: { markdown, defines } };
}

const orParagraph = (content: JSONContent[]): JSONContent[] =>
  content.length === 0 ? [{ type: "paragraph" }] : content;

/** Turns the blocks of a text into the editor's own. */
export class BlockReader {
  readonly #inline: InlineReader;

  constructor(definitions: Definitions) {
    this.#inline = new InlineReader(definitions);
  }

  read(nodes: readonly RootContent[]): JSONContent[] {
    return nodes.map((node) => this.block(node));
  }

  block(node: RootContent): JSONContent {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- All others are kept as Markdown.
    switch (node.type) {
      case "paragraph":
        return { type: "paragraph", content: this.#inline.read(node.children) };
      case "heading":
        return {
          type: "heading",
          attrs: { level: node.depth },
          content: this.#inline.read(node.children),
        };
      case "thematicBreak":
        return { type: "horizontalRule" };
      case "code": {
        const attrs = { language: node.lang ?? null, meta: node.meta ?? null };
        const content = node.value === "" ? [] : [{ type: "text", text: node.value }];
        return { type: "codeBlock", attrs, content };
      }
      case "blockquote":
        return this.#quote(node);
      case "list":
        return this.#list(node);
      case "table":
        return this.#table(node);
      case "footnoteDefinition":
        return {
          type: "footnoteDefinition",
          attrs: { label: node.label ?? node.identifier },
          content: orParagraph(this.read(node.children)),
        };
      default:
        return keptBlock(writeNodes([node]), node.type === "definition" ? node.identifier : null);
    }
  }

  #quote(node: Blockquote): JSONContent {
    const [paragraph, ...others] = node.children;
    const [words, ...more] = paragraph?.type === "paragraph" ? paragraph.children : [];
    const callout = words?.type === "text" ? readCallout(words.value) : null;
    // The marker and the words after it stand in one paragraph, or each in its own.
    const isOneParagraph = words?.type === "text" && words.value.includes("\n");
    if (callout === null || (!isOneParagraph && more.length > 0)) {
      return { type: "blockquote", content: orParagraph(this.read(node.children)) };
    }
    const attrs = { callout: callout.kind, isApart: !isOneParagraph };
    if (attrs.isApart) {
      return { type: "blockquote", attrs, content: orParagraph(this.read(others)) };
    }
    const rest: Paragraph = {
      type: "paragraph",
      children: [{ type: "text", value: callout.rest }, ...more],
    };
    return { type: "blockquote", attrs, content: this.read([rest, ...others]) };
  }

  #list(node: List): JSONContent {
    const spread = node.spread === true;
    const content = node.children.map((item) => this.#item(item));
    return node.ordered === true
      ? { type: "orderedList", attrs: { start: node.start ?? 1, spread }, content }
      : { type: "bulletList", attrs: { spread }, content };
  }

  #item(node: ListItem): JSONContent {
    const checked = node.checked ?? null;
    const attrs = { checked, spread: node.spread === true };
    const [first, ...others] = node.children;
    // A box needs a word: without one a space is written.
    const isEmptyTask =
      checked !== null &&
      first?.type === "paragraph" &&
      first.children.length === 1 &&
      first.children[0]?.type === "text" &&
      first.children[0].value === " ";
    const content = isEmptyTask
      ? [{ type: "paragraph" }, ...this.read(others)]
      : this.read(node.children);
    return { type: "listItem", attrs, content: orParagraph(content) };
  }

  #table(node: Table): JSONContent {
    const columns = Math.max(node.align?.length ?? 0, ...node.children.map(widthOf));
    const content = node.children.map((row, index) => ({
      type: "tableRow",
      attrs: { written: row.children.length },
      content: Array.from({ length: columns }, (_, column) => ({
        type: index === 0 ? "tableHeader" : "tableCell",
        attrs: { align: node.align?.[column] ?? null },
        content: [
          { type: "paragraph", content: this.#inline.read(row.children[column]?.children ?? []) },
        ],
      })),
    }));
    return { type: "table", content };
  }
}

const widthOf = (row: TableRow): number => row.children.length;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The nodes of blocks that the editor holds. Empty paragraphs are left out: Markdown has none. */
export function blockNodes(content: readonly JSONContent[], links: LinkWriting): Block[] {
  return content.flatMap((node): Block[] => {
    const block = blockNode(node, links);
    return block === null ? [] : [block];
  });
}

function blockNode(node: JSONContent, links: LinkWriting): Block | null {
  const content = node.content ?? [];
  const attrs = node.attrs ?? {};
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- All others hold Markdown.
  switch (node.type) {
    case "paragraph": {
      const children = inlineNodes(content, links);
      return children.length === 0 ? null : { type: "paragraph", children };
    }
    case "heading": {
      const depth = Number(attrs["level"]) as 1 | 2 | 3 | 4 | 5 | 6;
      return { type: "heading", depth, children: inlineNodes(content, links) };
    }
    case "horizontalRule":
      return { type: "thematicBreak" };
    case "codeBlock":
      return code(attrs, content);
    case "blockquote":
      return quote(attrs, blockNodes(content, links));
    case "bulletList":
    case "orderedList":
      return list(node, links);
    case "table":
      return table(content, links);
    case "footnoteDefinition": {
      const label = textOf(attrs["label"]);
      const children = blockNodes(content, links);
      return { type: "footnoteDefinition", identifier: label.toLowerCase(), label, children };
    }
    default:
      return { type: "verbatim", value: textOf(attrs["markdown"]) };
  }
}

function code(attrs: Readonly<Record<string, unknown>>, content: readonly JSONContent[]): Block {
  const lang = textOf(attrs["language"]);
  const meta = textOf(attrs["meta"]);
  return {
    type: "code",
    lang: lang === "" ? null : lang,
    meta: lang === "" || meta === "" ? null : meta,
    value: content.map(({ text }) => text ?? "").join(""),
  };
}

function quote(attrs: Readonly<Record<string, unknown>>, children: Block[]): Block {
  const kind = calloutKindOf(attrs["callout"]);
  if (kind === null) return { type: "blockquote", children };
  const marker: PhrasingContent = { type: "verbatim", value: calloutMarker(kind) };
  const [first, ...others] = children;
  const blocks: Block[] =
    first?.type === "paragraph" && attrs["isApart"] !== true
      ? [
          {
            type: "paragraph",
            children: [marker, { type: "text", value: "\n" }, ...first.children],
          },
          ...others,
        ]
      : [{ type: "paragraph", children: [marker] }, ...children];
  return { type: "blockquote", children: blocks };
}

function list(node: JSONContent, links: LinkWriting): Block {
  const isOrdered = node.type === "orderedList";
  return {
    type: "list",
    ordered: isOrdered,
    start: isOrdered ? Number(node.attrs?.["start"] ?? 1) : null,
    spread: node.attrs?.["spread"] === true,
    children: (node.content ?? []).map((item) => listItem(item, links)),
  };
}

function listItem(node: JSONContent, links: LinkWriting): ListItem {
  const checked = node.attrs?.["checked"];
  const isTask = typeof checked === "boolean";
  const content = node.content ?? [];
  const children = blockNodes(content, links);
  const isEmptyTask =
    isTask &&
    (children[0]?.type !== "paragraph" || blockNodes(content.slice(0, 1), links).length === 0);
  return {
    type: "listItem",
    spread: node.attrs?.["spread"] === true,
    checked: isTask ? checked : null,
    children: isEmptyTask
      ? [{ type: "paragraph", children: [{ type: "text", value: " " }] }, ...children]
      : children,
  };
}

function table(rows: readonly JSONContent[], links: LinkWriting): Block {
  const align = (rows[0]?.content ?? []).map(({ attrs }) => {
    const side: unknown = attrs?.["align"];
    return side === "left" || side === "right" || side === "center" ? side : null;
  });
  const children = rows.map((row): TableRow => {
    const cells = (row.content ?? []).map((cell) => ({
      type: "tableCell" as const,
      children: cellNodes(cell, links),
    }));
    // A row may have been written with fewer cells than the first.
    const written = Number(row.attrs?.["written"] ?? cells.length);
    const filled = cells.findLastIndex((cell) => cell.children.length > 0) + 1;
    return { type: "tableRow", children: cells.slice(0, Math.max(written, filled, 1)) };
  });
  return { type: "table", align, children };
}

function cellNodes(cell: JSONContent, links: LinkWriting): PhrasingContent[] {
  const paragraphs = (cell.content ?? []).map((each) =>
    each.type === "paragraph" ? inlineNodes(each.content ?? [], links) : [],
  );
  return paragraphs
    .filter((nodes) => nodes.length > 0)
    .flatMap((nodes, index) =>
      index === 0 ? nodes : [{ type: "text" as const, value: " " }, ...nodes],
    );
}
