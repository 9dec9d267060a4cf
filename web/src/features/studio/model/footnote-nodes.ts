import { Node } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { Node as DocumentNode } from "@tiptap/pm/model";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    footnote: {
      /** Puts the next number here and its note at the end of the text, where the cursor goes. */
      insertFootnote: () => ReturnType;
    };
  }
}

const labelOf = (name: string) => ({
  default: "",
  parseHTML: (element: HTMLElement) => element.getAttribute(name) ?? "",
  renderHTML: ({ label }: Record<string, unknown>) => ({ [name]: label }),
});

/** The first number that no footnote of the text has. */
function nextLabel(document: DocumentNode): string {
  const taken = new Set<unknown>();
  document.descendants((node) => {
    if (node.type.name.startsWith("footnote")) taken.add(node.attrs["label"]);
  });
  let number = 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

/** The number in the text that leads to a footnote. */
export const FootnoteReference = Node.create({
  name: "footnoteReference",
  group: "inline",
  inline: true,
  atom: true,
  addAttributes: () => ({ label: labelOf("data-footnote") }),
  parseHTML: () => [{ tag: "sup[data-footnote]" }],
  renderHTML: ({ node, HTMLAttributes }) => ["sup", HTMLAttributes, String(node.attrs["label"])],
});

/** The footnote itself. The reader shows all of them at the end of the text. */
export const FootnoteDefinition = Node.create({
  name: "footnoteDefinition",
  group: "block",
  content: "block+",
  defining: true,
  isolating: true,
  addAttributes: () => ({ label: labelOf("data-footnote-text") }),
  parseHTML: () => [{ tag: "div[data-footnote-text]" }],
  renderHTML: ({ HTMLAttributes }) => ["div", HTMLAttributes, 0],
  addCommands() {
    return {
      insertFootnote:
        () =>
        ({ tr, state, dispatch }) => {
          const { footnoteReference, footnoteDefinition, paragraph } = state.schema.nodes;
          if (!footnoteReference || !footnoteDefinition || !paragraph) return false;
          if (
            !state.selection.$from.parent.inlineContent ||
            state.selection.$from.parent.type.spec.code
          )
            return false;
          if (dispatch === undefined) return true;
          const label = nextLabel(state.doc);
          tr.insert(state.selection.to, footnoteReference.create({ label }));
          const end = tr.doc.content.size;
          tr.insert(end, footnoteDefinition.create({ label }, paragraph.create()));
          tr.setSelection(TextSelection.near(tr.doc.resolve(end + 2))).scrollIntoView();
          return true;
        },
    };
  },
});
