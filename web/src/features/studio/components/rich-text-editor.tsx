import { EditorContent, useEditor, useEditorState, type Editor } from "@tiptap/react";
import {
  Bold,
  Heading2,
  Heading3,
  Info,
  Italic,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Table,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { useState } from "react";
import { pluralise } from "@/lib/format-count.ts";
import "@/ui/styles/reading.css";
import { SlashMenu } from "./slash-menu.tsx";
import { editorExtensions, withoutEmptyEnd } from "../model/editor-extensions.ts";
import { cleanPastedHtml } from "../model/paste-cleaning.ts";

export interface RichTextEditorProps {
  readonly label: string;
  readonly markdown: string;
  readonly onChange: (markdown: string) => void;
}

/** Text as it will look. Its Markdown changes only when the person changes something. */
export default function RichTextEditor({ label, markdown, onChange }: RichTextEditorProps) {
  /** How many pictures the last pasted text lost. */
  const [leftOut, setLeftOut] = useState(0);
  const editor = useEditor({
    extensions: editorExtensions,
    content: markdown,
    contentType: "markdown",
    // The content security policy allows no inline styles; ours are in app.css.
    injectCSS: false,
    editorProps: {
      transformPastedHTML: (html) => {
        const cleaned = cleanPastedHtml(html);
        setLeftOut(cleaned.pictures);
        return cleaned.html;
      },
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        class: "reading rich-text min-h-80 max-w-none p-4 focus:outline-none",
      },
    },
    onUpdate: ({ editor: changed }) => onChange(withoutEmptyEnd(changed.getMarkdown())),
  });
  return (
    <div className="relative rounded-control border border-control-line bg-raised focus-within:border-ink has-[.rich-text:focus-visible]:outline-2 has-[.rich-text:focus-visible]:outline-offset-2 has-[.rich-text:focus-visible]:outline-accent">
      <Tools editor={editor} />
      <EditorContent editor={editor} />
      <SlashMenu editor={editor} />
      <p role="status" className="px-4 pb-3 text-sm empty:hidden">
        {leftOut === 0
          ? null
          : `The pasted text came without its ${leftOut === 1 ? "picture" : pluralise(leftOut, "picture")}.`}
      </p>
      <p className="px-4 pb-3 text-sm text-muted">
        Type / at the start of a line to insert a heading, list, table, quote or callout. In a
        table, Tab goes to the next cell and the arrow keys lead out of it.
      </p>
    </div>
  );
}

interface Tool {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isOn?: (editor: Editor) => boolean;
  readonly press: (editor: Editor) => void;
}

const tools: readonly Tool[] = [
  {
    label: "Heading",
    icon: Heading2,
    isOn: (editor) => editor.isActive("heading", { level: 2 }),
    press: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: "Smaller heading",
    icon: Heading3,
    isOn: (editor) => editor.isActive("heading", { level: 3 }),
    press: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  {
    label: "Bold",
    icon: Bold,
    isOn: (editor) => editor.isActive("bold"),
    press: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: "Italic",
    icon: Italic,
    isOn: (editor) => editor.isActive("italic"),
    press: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: "List",
    icon: List,
    isOn: (editor) => editor.isActive("bulletList"),
    press: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: "Numbered list",
    icon: ListOrdered,
    isOn: (editor) => editor.isActive("orderedList"),
    press: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: "Quote",
    icon: Quote,
    isOn: (editor) => editor.isActive("blockquote"),
    press: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    label: "Note",
    icon: Info,
    isOn: (editor) => editor.isActive("blockquote", { callout: "note" }),
    press: (editor) =>
      editor.isActive("blockquote", { callout: "note" })
        ? editor.chain().focus().unsetBlockquote().run()
        : editor.chain().focus().setCallout("note").run(),
  },
  {
    label: "Table",
    icon: Table,
    press: (editor) =>
      editor.chain().focus().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
  },
  { label: "Undo", icon: Undo2, press: (editor) => editor.chain().focus().undo().run() },
  { label: "Redo", icon: Redo2, press: (editor) => editor.chain().focus().redo().run() },
];

function Tools({ editor }: { readonly editor: Editor }) {
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => tools.map(({ isOn }) => isOn?.(now)),
  });
  return (
    <div
      role="group"
      aria-label="Formatting"
      className="sticky top-14 z-10 flex flex-wrap gap-1 rounded-t-control border-b border-line bg-raised p-1 lg:top-16"
    >
      {tools.map(({ label, icon: Icon, press }, index) => (
        <button
          key={label}
          type="button"
          aria-label={label}
          title={label}
          aria-pressed={on[index]}
          onClick={() => press(editor)}
          className="grid size-11 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      ))}
    </div>
  );
}
