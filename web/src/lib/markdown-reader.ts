import type { Link, List, ListItem, Nodes, RootContent } from "mdast";
import { addressRanges, splitLinks } from "./links.ts";
import { isCodeBlock, isEmphasis, itemNumber, labelledAddress } from "./markdown-markers.ts";
import type { MessageBlock, MessageInline, MessageListItem } from "./markdown-nodes.ts";

/** Deeper lists and emphasis are shown as typed. */
const maxDepth = 4;

const startOf = (node: Nodes) => node.position?.start.offset ?? 0;
const endOf = (node: Nodes) => node.position?.end.offset ?? 0;

/**
 * Turns the tree of one text into what is shown. Texts are cut from the source and not taken from
 * the tree, so that markup which does not count is there as it was typed.
 */
export function createMarkdownReader(source: string) {
  const addresses = addressRanges(source);
  const isInAddress = (place: number) =>
    addresses.some(([start, end]) => start < place && place < end);
  const raw = (start: number, end: number): MessageInline[] =>
    end > start ? [{ kind: "text", text: source.slice(start, end) }] : [];

  /** What stands from `start` to `end`: the nodes, and between them the source. */
  function between(nodes: readonly Nodes[], start: number, end: number, depth: number) {
    let place = start;
    const found = nodes.flatMap((node) => {
      const before = raw(place, startOf(node));
      place = endOf(node);
      return [...before, ...inlines(node, depth)];
    });
    return [...found, ...raw(place, end)];
  }

  function asTyped(node: Nodes, depth: number): MessageInline[] {
    const nodes = "children" in node && depth < maxDepth ? node.children : [];
    return between(nodes, startOf(node), endOf(node), depth + 1);
  }

  function inlines(node: Nodes, depth: number): MessageInline[] {
    if (node.type === "inlineCode" && node.value.trim() !== "")
      return [{ kind: "code", text: node.value }];
    if (node.type === "link") return link(node, depth);
    if (node.type !== "strong" && node.type !== "emphasis") return asTyped(node, depth);
    const [start, end] = [startOf(node), endOf(node)];
    const marks =
      depth < maxDepth &&
      isEmphasis(source, start, end) &&
      !isInAddress(start) &&
      !isInAddress(end - 1);
    if (!marks) return asTyped(node, depth);
    const width = node.type === "strong" ? 2 : 1;
    const children = between(node.children, start + width, end - width, depth + 1);
    return [{ kind: node.type, children }];
  }

  function link(node: Link, depth: number): MessageInline[] {
    // A title would be invisible.
    if (node.title) return asTyped(node, depth);
    const [first, last] = [node.children[0], node.children.at(-1)];
    const label = first && last ? source.slice(startOf(first), endOf(last)) : "";
    const isImage = source[startOf(node) - 1] === "!";
    const href = isImage ? null : labelledAddress(label, node.url);
    if (href === null || !first || !last) return asTyped(node, depth);
    const children = between(node.children, startOf(first), endOf(last), depth + 1);
    return [{ kind: "link", href, children: joinTexts(children) }];
  }

  function listItems(list: List, depth: number): MessageListItem[] | null {
    const items = list.children.map((item) => listItem(item, depth));
    return items.length > 1 && items.every((item) => item !== null) ? items : null;
  }

  function listItem(item: ListItem, depth: number): MessageListItem | null {
    const number = itemNumber(source.slice(startOf(item), endOf(item)));
    if (number === undefined || item.children.length === 0) return null;
    return { number, blocks: item.children.flatMap((node) => block(node, depth + 1)) };
  }

  function block(node: RootContent, depth: number): MessageBlock[] {
    if (node.type === "code" && isCodeBlock(source.slice(startOf(node), endOf(node)), node.value))
      return [{ kind: "code", text: node.value }];
    if (node.type === "list") {
      const items = depth < maxDepth ? listItems(node, depth) : null;
      if (items) return [{ kind: "list", ordered: node.ordered === true, items }];
    }
    return textBlock(inlines(node, 0), depth > 0);
  }

  /** @param isItem The source has indented the lines below the first. */
  function textBlock(children: readonly MessageInline[], isItem: boolean): MessageBlock[] {
    const joined = withLinks(joinTexts(children));
    if (joined.length === 0) return [];
    return [{ kind: "text", children: isItem ? joined.map(withoutIndent) : joined }];
  }

  return {
    /** @param nodes The children of the root. */
    read: (nodes: readonly RootContent[]): MessageBlock[] => {
      let place = 0;
      const found = nodes.flatMap((node) => {
        const gap = textBlock(raw(place, startOf(node)), false);
        place = endOf(node);
        return [...gap, ...block(node, 0)];
      });
      return [...found, ...textBlock(raw(place, source.length), false)];
    },
  };
}

/** Makes neighbouring texts one, also within emphasis. */
export function joinTexts(inlines: readonly MessageInline[]): MessageInline[] {
  const joined: MessageInline[] = [];
  for (const each of inlines) {
    const last = joined.at(-1);
    if (each.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + each.text };
    } else if (each.kind === "strong" || each.kind === "emphasis") {
      joined.push({ ...each, children: joinTexts(each.children) });
    } else joined.push(each);
  }
  return joined;
}

/** Addresses in the text become links, except within links. */
function withLinks(inlines: readonly MessageInline[]): MessageInline[] {
  return inlines.flatMap((each): MessageInline[] => {
    if (each.kind === "strong" || each.kind === "emphasis")
      return [{ ...each, children: withLinks(each.children) }];
    if (each.kind !== "text") return [each];
    return splitLinks(each.text).map((segment) =>
      segment.kind === "text"
        ? segment
        : { kind: "link", href: segment.href, children: [{ kind: "text", text: segment.text }] },
    );
  });
}

function withoutIndent(inline: MessageInline): MessageInline {
  return inline.kind === "text"
    ? { kind: "text", text: inline.text.replaceAll(/\n[ \t]+/gu, "\n") }
    : inline;
}
