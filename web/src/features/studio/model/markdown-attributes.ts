import { Extension } from "@tiptap/core";

const hidden = (value: unknown) => ({ default: value, rendered: false });

/** What Markdown says of nodes and marks, and the editor does not show. */
export const MarkdownAttributes = Extension.create({
  name: "markdownAttributes",
  addGlobalAttributes: () => [
    // Where the mark begins among those of its text: the outer of two comes first.
    { types: ["bold", "italic", "strike", "link"], attributes: { place: hidden(0) } },
    // The reference that a link is written as.
    { types: ["link"], attributes: { reference: hidden(null) } },
    { types: ["codeBlock"], attributes: { meta: hidden(null) } },
    // Whether there are empty lines between the items.
    { types: ["bulletList", "orderedList"], attributes: { spread: hidden(false) } },
    // How many cells of the row were written; the others are empty.
    { types: ["tableRow"], attributes: { written: hidden(null) } },
  ],
});
