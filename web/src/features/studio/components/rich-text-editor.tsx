import { TableKit } from "@tiptap/extension-table";
import { Markdown } from "@tiptap/markdown";
import { EditorContent, useEditor, useEditorState, type Editor } from "@tiptap/react";
import { StarterKit } from "@tiptap/starter-kit";
import {
  Bold,
  Heading2,
  Heading3,
  Italic,
  List,
  ListOrdered,
  Quote,
  Redo2,
  Table,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import "@/ui/styles/reading.css";

export interface RichTextEditorProps {
  readonly label: string;
  readonly markdown: string;
  readonly onChange: (markdown: string) => void;
}

/** What the library's reader shows. Titles are headings of the first level, so texts begin with the second. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    underline: false,
    link: {
      openOnClick: false,
      protocols: ["https"],
      defaultProtocol: "https",
      HTMLAttributes: { target: null },
    },
  }),
  TableKit,
  Markdown.configure({ markedOptions: { gfm: true } }),
];

/** Text as it will look. Its Markdown changes only when the person changes something. */
export default function RichTextEditor({ label, markdown, onChange }: RichTextEditorProps) {
  const editor = useEditor({
    extensions,
    content: markdown,
    contentType: "markdown",
    // The content security policy allows no inline styles; ours are in app.css.
    injectCSS: false,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        class: "reading rich-text min-h-80 max-w-none p-4 focus:outline-none",
      },
    },
    onUpdate: ({ editor: changed }) => onChange(changed.getMarkdown()),
  });
  return (
    <div className="rounded-control border border-control-line bg-raised focus-within:border-ink">
      <Tools editor={editor} />
      <EditorContent editor={editor} />
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
