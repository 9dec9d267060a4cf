import type { Editor } from "@tiptap/react";
import { calloutKinds, calloutNames } from "@/domain/callouts.ts";
import { blockLines, richTextStrings } from "../strings/text-editor.ts";

/** Something that the slash menu puts into the text. */
export interface EditorBlock {
  readonly label: string;
  /** What it is for. */
  readonly line: string;
  readonly insert: (editor: Editor) => void;
}

/** Blocks in the order of the menu. */
export const editorBlocks: readonly EditorBlock[] = [
  {
    label: richTextStrings.heading,
    line: blockLines.heading,
    insert: (editor) => editor.chain().focus().setHeading({ level: 2 }).run(),
  },
  {
    label: richTextStrings.smallerHeading,
    line: blockLines.smallerHeading,
    insert: (editor) => editor.chain().focus().setHeading({ level: 3 }).run(),
  },
  {
    label: richTextStrings.list,
    line: blockLines.list,
    insert: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: richTextStrings.numberedList,
    line: blockLines.numberedList,
    insert: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: richTextStrings.checkList,
    line: blockLines.checkList,
    insert: (editor) => editor.chain().focus().toggleCheckList().run(),
  },
  {
    label: richTextStrings.table,
    line: blockLines.table,
    insert: (editor) =>
      editor.chain().focus().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
  },
  {
    label: richTextStrings.picture,
    line: blockLines.picture,
    insert: (editor) => editor.commands.choosePicture(),
  },
  {
    label: richTextStrings.quote,
    line: blockLines.quote,
    insert: (editor) => editor.chain().focus().setBlockquote().run(),
  },
  {
    label: richTextStrings.footnote,
    line: blockLines.footnote,
    insert: (editor) => editor.commands.insertFootnote(),
  },
  ...calloutKinds.map((kind) => ({
    label: calloutNames[kind],
    line: blockLines[kind],
    insert: (editor: Editor) => editor.chain().focus().setCallout(kind).run(),
  })),
];

/** What is typed after a slash at the start of a paragraph; null elsewhere. */
export function slashQuery(editor: Editor): string | null {
  const { $from, empty } = editor.state.selection;
  if (!empty || $from.parent.type.name !== "paragraph") return null;
  const before = $from.parent.textBetween(0, $from.parentOffset);
  const isAtEnd = $from.parentOffset === $from.parent.content.size;
  return isAtEnd ? (/^\/([a-z ]{0,20})$/i.exec(before)?.[1] ?? null) : null;
}

/** The blocks whose name contains what is typed. */
export function blocksFor(query: string): readonly EditorBlock[] {
  const typed = query.trim().toLowerCase();
  return editorBlocks.filter(({ label }) => label.toLowerCase().includes(typed));
}

/** Takes the typed slash and words away and puts the block there. */
export function insertBlock(editor: Editor, block: EditorBlock): void {
  const { $from } = editor.state.selection;
  editor.commands.deleteRange({ from: $from.start(), to: $from.pos });
  block.insert(editor);
}
