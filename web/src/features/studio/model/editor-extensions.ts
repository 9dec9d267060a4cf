import type { MarkdownToken } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { TableKit } from "@tiptap/extension-table";
import { Markdown } from "@tiptap/markdown";
import { StarterKit } from "@tiptap/starter-kit";
import { PictureNode, type PictureNodeOptions } from "./picture-node.ts";
import { calloutKinds, calloutMarker, readCallout, type CalloutKind } from "@/domain/callouts.ts";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    callout: {
      /** Puts the block into a box of this kind, or changes the kind of the box it is in. */
      setCallout: (kind: CalloutKind) => ReturnType;
    };
  }
}

function kindOf(value: unknown): CalloutKind | null {
  return calloutKinds.find((kind) => kind === value) ?? null;
}

/** The kind of a quote and its blocks without the marker. */
function withoutMarker(blocks: readonly MarkdownToken[]): {
  kind: CalloutKind | null;
  blocks: MarkdownToken[];
} {
  const [paragraph, ...others] = blocks;
  const [words, ...more] = paragraph?.type === "paragraph" ? (paragraph.tokens ?? []) : [];
  const callout = words?.type === "text" ? readCallout(words.text ?? "") : null;
  if (paragraph === undefined || callout === null) return { kind: null, blocks: [...blocks] };
  const rest =
    callout.rest === "" ? more : [{ ...words, raw: callout.rest, text: callout.rest }, ...more];
  return {
    kind: callout.kind,
    blocks: rest.length === 0 ? others : [{ ...paragraph, tokens: rest }, ...others],
  };
}

/** A quote that may be a callout. */
const Quote = Blockquote.extend({
  addAttributes() {
    return {
      callout: {
        default: null,
        parseHTML: (element) => kindOf(element.getAttribute("data-callout")),
        renderHTML: ({ callout }) => (kindOf(callout) === null ? {} : { "data-callout": callout }),
      },
    };
  },
  parseMarkdown: (token, helpers) => {
    const { kind, blocks } = withoutMarker(token.tokens ?? []);
    const parse = helpers.parseBlockChildren ?? helpers.parseChildren;
    const content = parse(blocks);
    return helpers.createNode(
      "blockquote",
      { callout: kind },
      content.length === 0 ? [helpers.createNode("paragraph", undefined, [])] : content,
    );
  },
  renderMarkdown: (node, helpers) => {
    const kind = kindOf(node.attrs?.["callout"]);
    const blocks = (node.content ?? []).map(
      (child, index) => helpers.renderChild?.(child, index) ?? helpers.renderChildren([child]),
    );
    const lines = blocks.join("\n\n").split("\n");
    return (kind === null ? lines : [calloutMarker(kind), ...lines])
      .map((line) => (line.trim() === "" ? ">" : `> ${line}`))
      .join("\n");
  },
  addCommands() {
    return {
      ...this.parent?.(),
      setCallout:
        (callout) =>
        ({ commands, editor }) =>
          editor.isActive("blockquote")
            ? commands.updateAttributes("blockquote", { callout })
            : commands.wrapIn("blockquote", { callout }),
    };
  },
});

/** The Markdown without the empty paragraphs at its end, which the editor writes as `&nbsp;`. */
export function withoutEmptyEnd(markdown: string): string {
  return markdown.replace(/(?:\s|&nbsp;)+$/u, "");
}

/** What the library's reader shows. Titles are headings of the first level, so texts begin with the second. */
export const createEditorExtensions = (pictures: Partial<PictureNodeOptions> = {}) => [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    blockquote: false,
    underline: false,
    link: {
      openOnClick: false,
      protocols: ["https"],
      defaultProtocol: "https",
      HTMLAttributes: { target: null },
    },
  }),
  Quote,
  TableKit,
  PictureNode.configure(pictures),
  Markdown.configure({ markedOptions: { gfm: true } }),
];
