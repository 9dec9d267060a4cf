import type { JSONContent } from "@tiptap/core";
import type { Link, LinkReference, PhrasingContent } from "mdast";
import { imageAtStart, pictureDescription, toTextPicture } from "@/domain/content-pictures.ts";
import { withoutTrailing } from "@/lib/without-trailing.ts";
import { writeNodes } from "./markdown-tree.ts";

/** A mark of the editor. `place` counts the marks of a text as they begin, so that the outer of two comes first; new ones have 0. */
export interface InlineMark {
  readonly type: string;
  readonly attrs?: Readonly<Record<string, unknown>>;
}

/** What the links of a text may refer to. */
export interface Definitions {
  readonly get: (
    identifier: string,
  ) => { readonly url: string; readonly title?: string | null | undefined } | undefined;
}

const markOf = { emphasis: "italic", strong: "bold", delete: "strike" } as const;
const nodeOf = { italic: "emphasis", bold: "strong", strike: "delete" } as const;

const kept = (markdown: string, marks: readonly InlineMark[]): JSONContent =>
  withMarks({ type: "keptInline", attrs: { markdown } }, marks);

function withMarks(node: JSONContent, marks: readonly InlineMark[]): JSONContent {
  return marks.length === 0
    ? node
    : { ...node, marks: marks.map((mark) => ({ ...mark, attrs: { ...mark.attrs } })) };
}

/** Turns what stands in a paragraph into the editor's own; what the editor has no node for is kept as Markdown. */
export class InlineReader {
  #place = 0;
  readonly #definitions: Definitions;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** @param nodes all of a paragraph, heading or cell. */
  read(nodes: readonly PhrasingContent[]): JSONContent[] {
    const [first, last] = [nodes[0], nodes.at(-1)];
    return nodes.flatMap((node) => {
      if (node.type !== "text") return this.#node(node, []);
      // Spaces at an end are typed by accident and left out when the text is written; these were written on purpose.
      const start = node === first ? (/^[ \t]+/u.exec(node.value)?.[0] ?? "") : "";
      const rest = node.value.slice(start.length);
      const end = node === last ? rest.slice(withoutTrailing(rest, " \t").length) : "";
      return [
        ...this.#space(start),
        ...texts(rest.slice(0, rest.length - end.length), []),
        ...this.#space(end),
      ];
    });
  }

  #space(value: string): JSONContent[] {
    const text = { type: "text", value } as const;
    return value === "" ? [] : [kept(writeNodes([{ type: "paragraph", children: [text] }]), [])];
  }

  #node(node: PhrasingContent, marks: readonly InlineMark[]): JSONContent[] {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- All others are kept as Markdown.
    switch (node.type) {
      case "text":
        return texts(node.value, marks);
      case "inlineCode":
        return [withMarks({ type: "text", text: node.value }, [...marks, { type: "code" }])];
      case "break":
        return [withMarks({ type: "hardBreak" }, marks)];
      case "footnoteReference":
        return [
          withMarks(
            { type: "footnoteReference", attrs: { label: node.label ?? node.identifier } },
            marks,
          ),
        ];
      case "image":
        return [image(node, marks)];
      case "emphasis":
      case "strong":
      case "delete":
        return this.#marked(node, { type: markOf[node.type] }, marks);
      case "link":
        return this.#marked(
          node,
          { type: "link", attrs: { href: node.url, title: node.title ?? null } },
          marks,
        );
      case "linkReference":
        return this.#reference(node, marks);
      default:
        return [kept(writeNodes([{ type: "paragraph", children: [node] }]), marks)];
    }
  }

  #reference(node: LinkReference, marks: readonly InlineMark[]): JSONContent[] {
    const to = this.#definitions.get(node.identifier);
    if (to === undefined) return [kept(writeNodes([node]), marks)];
    const reference = { label: node.label ?? node.identifier, kind: node.referenceType };
    const attrs = { href: to.url, title: to.title ?? null, reference };
    return this.#marked(node, { type: "link", attrs }, marks);
  }

  #marked(
    node: Extract<PhrasingContent, { children: PhrasingContent[] }>,
    mark: InlineMark,
    marks: readonly InlineMark[],
  ): JSONContent[] {
    // One within another of its kind, or around nothing, is none to the editor.
    if (node.children.length === 0 || marks.some(({ type }) => type === mark.type)) {
      return [kept(writeNodes([{ type: "paragraph", children: [node] }]), marks)];
    }
    this.#place += 1;
    const placed = { ...mark, attrs: { ...mark.attrs, place: this.#place } };
    return node.children.flatMap((child) => this.#node(child, [...marks, placed]));
  }
}

function texts(value: string, marks: readonly InlineMark[]): JSONContent[] {
  return value
    .split(/(\n)/u)
    .filter((part) => part !== "")
    .map((text) =>
      text === "\n"
        ? withMarks({ type: "text", text: " " }, [...marks, { type: "softBreak" }])
        : withMarks({ type: "text", text }, marks),
    );
}

function image(
  node: Extract<PhrasingContent, { type: "image" }>,
  marks: readonly InlineMark[],
): JSONContent {
  const alt = node.alt ?? "";
  const written = `![${alt}](${node.url})`;
  const isOurs =
    toTextPicture(node.url) !== null &&
    !node.title &&
    !/&#?\w+;/u.test(alt) &&
    pictureDescription(alt) === alt &&
    imageAtStart(written)?.raw === written;
  return isOurs
    ? withMarks({ type: "picture", attrs: { address: node.url, description: alt } }, marks)
    : kept(writeNodes([{ type: "paragraph", children: [node] }]), marks);
}

/** How a link is written: as a reference, while the text defines it. */
export interface LinkWriting {
  readonly isDefined: (label: string) => boolean;
}

type LinkAttrs = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const placeOf = (mark: InlineMark): number => Number(mark.attrs?.["place"] ?? 0);
const isNesting = (mark: InlineMark): boolean => mark.type === "link" || mark.type in nodeOf;

/** Two links are one when they begin at one place; other marks whenever they touch, because Markdown can't keep them apart. */
function isSame(one: InlineMark, other: InlineMark): boolean {
  if (one.type !== other.type) return false;
  return one.type !== "link" || JSON.stringify(one.attrs) === JSON.stringify(other.attrs);
}

interface Piece {
  readonly node: JSONContent;
  /** The marks that are still to be written around it. */
  readonly marks: readonly InlineMark[];
}

/** The nodes of a paragraph that the editor holds, without spaces at its ends. */
export function inlineNodes(
  content: readonly JSONContent[],
  links: LinkWriting,
): PhrasingContent[] {
  const pieces = content.flatMap((node): Piece[] => {
    const marks = (node.marks ?? []) as readonly InlineMark[];
    if (node.type !== "text" || marks.some(({ type }) => type === "code")) return [{ node, marks }];
    // Spaces apart, so that marks can leave them out.
    const text = node.text ?? "";
    const start = /^[ \t]+/u.exec(text)?.[0] ?? "";
    const words = withoutTrailing(text.slice(start.length), " \t");
    return [start, words, text.slice(start.length + words.length)]
      .filter((piece) => piece !== "")
      .map((piece) => ({ node: { ...node, text: piece }, marks }));
  });
  return group(trimmed(pieces), links);
}

function isSpace({ node, marks }: Piece): boolean {
  return (
    node.type === "text" &&
    /^[ \t]*$/u.test(node.text ?? "") &&
    !marks.some(({ type }) => type === "code")
  );
}

function trimmed(pieces: readonly Piece[]): readonly Piece[] {
  const isEdge = (piece: Piece) => isSpace(piece) || piece.node.type === "hardBreak";
  const start = pieces.findIndex((piece) => !isEdge(piece));
  const end = pieces.findLastIndex((piece) => !isEdge(piece));
  return start === -1 ? [] : pieces.slice(start, end + 1);
}

function group(pieces: readonly Piece[], links: LinkWriting): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let at = 0;
  while (at < pieces.length) {
    const piece = pieces[at];
    if (piece === undefined) break;
    const outer = outermost(pieces, at);
    if (outer === null) {
      nodes.push(...leaf(piece));
      at += 1;
      continue;
    }
    const run = pieces.slice(at, outer.end);
    // Spaces at the ends of new marks stand outside of them.
    const isNew = placeOf(outer.mark) === 0;
    const skip = isNew ? run.findIndex((each) => !isSpace(each)) : 0;
    const last = isNew ? run.findLastIndex((each) => !isSpace(each)) : run.length - 1;
    const inner = run.map((each) => ({
      ...each,
      marks: each.marks.filter((mark) => !isSame(mark, outer.mark)),
    }));
    if (skip === -1) nodes.push(...group(inner, links));
    else {
      nodes.push(
        ...group(inner.slice(0, skip), links),
        wrap(outer.mark, group(inner.slice(skip, last + 1), links), links),
        ...group(inner.slice(last + 1), links),
      );
    }
    at = outer.end;
  }
  return nodes;
}

/** The mark that goes around most of what follows, and where it ends. */
function outermost(
  pieces: readonly Piece[],
  start: number,
): { readonly mark: InlineMark; readonly end: number } | null {
  let best: { mark: InlineMark; end: number } | null = null;
  for (const mark of pieces[start]?.marks.filter(isNesting) ?? []) {
    let end = start;
    while (pieces[end]?.marks.some((other) => isSame(mark, other)) === true) end += 1;
    const isOuter =
      best === null || end > best.end || (end === best.end && placeOf(mark) < placeOf(best.mark));
    if (isOuter) best = { mark, end };
  }
  return best;
}

function wrap(mark: InlineMark, children: PhrasingContent[], links: LinkWriting): PhrasingContent {
  if (mark.type === "link") return link(mark.attrs ?? {}, children, links);
  const type = nodeOf[mark.type as keyof typeof nodeOf];
  return { type, children };
}

function link(attrs: LinkAttrs, children: PhrasingContent[], links: LinkWriting) {
  const reference = attrs["reference"] as { label: string; kind: string } | null | undefined;
  if (reference && links.isDefined(reference.label)) {
    const { label } = reference;
    const referenceType = reference.kind as LinkReference["referenceType"];
    const node: LinkReference = {
      type: "linkReference",
      identifier: label.toLowerCase(),
      label,
      referenceType,
      children,
    };
    return node;
  }
  const title = textOf(attrs["title"]);
  const node: Link = {
    type: "link",
    url: textOf(attrs["href"]),
    title: title === "" ? null : title,
    children,
  };
  return node;
}

function leaf({ node, marks }: Piece): PhrasingContent[] {
  const value = node.text ?? "";
  const has = (name: string) => marks.some(({ type }) => type === name);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- All others hold Markdown.
  switch (node.type) {
    case "text":
      if (has("code")) return [{ type: "inlineCode", value }];
      return [{ type: "text", value: has("softBreak") && value === " " ? "\n" : value }];
    case "hardBreak":
      return [{ type: "break" }];
    case "footnoteReference": {
      const label = textOf(node.attrs?.["label"]);
      return [{ type: "footnoteReference", identifier: label.toLowerCase(), label }];
    }
    case "picture": {
      const { address, description } = node.attrs ?? {};
      const words = pictureDescription(textOf(description));
      return [{ type: "verbatim", value: `![${words}](${textOf(address)})` }];
    }
    default:
      return [{ type: "verbatim", value: textOf(node.attrs?.["markdown"]) }];
  }
}
