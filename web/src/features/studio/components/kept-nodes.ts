import { Node } from "@tiptap/core";
import { richTextStrings } from "../strings/text-editor.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const markdownAttribute = {
  default: "",
  parseHTML: (element: HTMLElement) => element.dataset["kept"] ?? "",
  renderHTML: ({ markdown }: Record<string, unknown>) => ({ "data-kept": textOf(markdown) }),
};

/** A block that the editor has no node for, such as HTML. It is shown and kept as Markdown, letter for letter. */
export const KeptBlock = Node.create({
  name: "keptBlock",
  group: "block",
  atom: true,
  draggable: true,
  addAttributes: () => ({
    markdown: markdownAttribute,
    // What links of the text may refer to by this block.
    defines: { default: null, rendered: false },
  }),
  parseHTML: () => [{ tag: "pre[data-kept]", priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    "pre",
    { ...HTMLAttributes, title: richTextStrings.kept },
    ["code", {}, textOf(node.attrs["markdown"])],
  ],
});

/** The same within a paragraph. */
export const KeptInline = Node.create({
  name: "keptInline",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({ markdown: markdownAttribute }),
  parseHTML: () => [{ tag: "code[data-kept]", priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    "code",
    { ...HTMLAttributes, title: richTextStrings.kept },
    textOf(node.attrs["markdown"]),
  ],
});
