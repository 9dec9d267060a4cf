import { Extension, Mark, textblockTypeInputRule } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { Code } from "@tiptap/extension-code";
import { Heading } from "@tiptap/extension-heading";
import { TableCell, TableHeader, TableKit } from "@tiptap/extension-table";
import { StarterKit } from "@tiptap/starter-kit";
import type { CalloutKind } from "@/domain/callouts.ts";
import { calloutKindOf } from "../model/block-content.ts";
import { CheckListItem } from "./check-list.ts";
import { FootnoteDefinition, FootnoteReference } from "../model/footnote-nodes.ts";
import { TypedLink } from "./typed-link.ts";
import { KeptBlock, KeptInline } from "./kept-nodes.ts";
import { MarkdownAttributes } from "../model/markdown-attributes.ts";
import { PictureNode, type PictureNodeOptions } from "../model/picture-node.ts";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    callout: {
      /** Puts the block into a box of this kind, or changes the kind of the box it is in. */
      setCallout: (kind: CalloutKind) => ReturnType;
    };
    linkQuestion: {
      /** Asks where the selected words lead. */
      askForLink: () => ReturnType;
    };
  }
}

/** A quote that may be a callout. */
const Quote = Blockquote.extend({
  addAttributes() {
    return {
      callout: {
        default: null,
        parseHTML: (element) => calloutKindOf(element.getAttribute("data-callout")),
        renderHTML: ({ callout }) =>
          calloutKindOf(callout) === null ? {} : { "data-callout": callout },
      },
      // Whether its marker stands in a paragraph of its own.
      isApart: { default: false, rendered: false },
    };
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

/** Levels that the editor makes; texts that were imported may have others, which stay. */
const ownLevels = [2, 3, 4] as const;

const AnyHeading = Heading.extend({
  addInputRules() {
    return ownLevels.map((level) =>
      textblockTypeInputRule({
        find: new RegExp(`^#{${level}}\\s$`),
        type: this.type,
        getAttributes: { level },
      }),
    );
  },
  addKeyboardShortcuts() {
    return Object.fromEntries(
      ownLevels.map((level) => [
        `Mod-Alt-${level}`,
        () => this.editor.commands.toggleHeading({ level }),
      ]),
    );
  },
}).configure({ levels: [1, 2, 3, 4, 5, 6] });

/** Code may be bold or a link. */
const AnyCode = Code.extend({ excludes: "" });

/** A space that is a line end in the Markdown. */
const SoftBreak = Mark.create({
  name: "softBreak",
  inclusive: false,
  excludes: "",
  parseHTML: () => [{ tag: "span[data-soft-break]" }],
  renderHTML: () => ["span", { "data-soft-break": "" }, 0],
});

/** What asks where the selected words lead. */
const LinkQuestion = Extension.create<{ readonly ask: () => void }>({
  name: "linkQuestion",
  addOptions: () => ({ ask: () => undefined }),
  addCommands() {
    return {
      askForLink: () => () => {
        this.options.ask();
        return true;
      },
    };
  },
});

/** Cells hold one line, as in Markdown: Enter makes no second one. */
const LineCell = TableCell.extend({
  content: "paragraph",
  addKeyboardShortcuts() {
    const isInCell = () => this.editor.isActive("tableCell") || this.editor.isActive("tableHeader");
    return { Enter: isInCell, "Shift-Enter": isInCell, "Mod-Enter": isInCell };
  },
});
const LineHeader = TableHeader.extend({ content: "paragraph" });

/** What the library's reader shows. Titles are headings of the first level, so texts begin with the second. */
export const createEditorExtensions = (
  pictures: Partial<PictureNodeOptions> = {},
  askForLink: () => void = () => undefined,
) => [
  StarterKit.configure({
    heading: false,
    blockquote: false,
    code: false,
    listItem: false,
    underline: false,
    link: {
      openOnClick: false,
      protocols: ["https"],
      defaultProtocol: "https",
      HTMLAttributes: { target: null },
    },
  }),
  AnyHeading,
  AnyCode,
  Quote,
  CheckListItem,
  TableKit.configure({ tableCell: false, tableHeader: false }),
  LineCell,
  LineHeader,
  FootnoteReference,
  FootnoteDefinition,
  KeptBlock,
  KeptInline,
  SoftBreak,
  MarkdownAttributes,
  PictureNode.configure(pictures),
  TypedLink,
  LinkQuestion.configure({ ask: askForLink }),
];
