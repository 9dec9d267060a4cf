import { getMarkRange } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import { EditorContent, useEditor, useEditorState, type Editor } from "@tiptap/react";
import {
  Bold,
  Heading2,
  Heading3,
  Image,
  Info,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  Quote,
  Redo2,
  Superscript,
  Table,
  Undo2,
} from "lucide-react";
import { useRef, useState } from "react";
import { textPictureAddress, type TextPicture } from "@/domain/content-pictures.ts";
import { useBackend } from "@/lib/backend.tsx";
import { contentPictureUrl } from "@/lib/content-picture-url.ts";
import "@/ui/styles/reading.css";
import { LinkDialog } from "./link-dialog.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import { ToolButton, type EditorTool } from "./editor-tool.tsx";
import { SlashMenu } from "./slash-menu.tsx";
import { createEditorExtensions } from "./editor-extensions.ts";
import { cleanPastedHtml } from "../model/paste-cleaning.ts";
import { TextWriter, type OpenedText } from "../model/text-document.ts";
import { picturesIn } from "../model/text-picture.ts";
import { richTextStrings } from "../strings/text-editor.ts";

export interface RichTextEditorProps {
  readonly id?: string | undefined;
  readonly label: string;
  readonly opened: OpenedText;
  readonly onChange: (markdown: string) => void;
}

/** Text as it will look. Its Markdown changes only when the person changes something, and only where they do. */
export function RichTextEditor({ id, label, opened, onChange }: RichTextEditorProps) {
  /** How many pictures the last pasted text lost. */
  const [leftOut, setLeftOut] = useState(0);
  /** The pictures to describe; null stands for one that is still to be chosen. */
  const [asked, setAsked] = useState<readonly (File | null)[]>([]);
  const { client } = useBackend();
  const [isLinking, setLinking] = useState(false);
  /** While the focus is on its way back from the window of a link. */
  const isReturning = useRef(false);
  const [extensions] = useState(() =>
    createEditorExtensions(
      {
        urlOf: (address) => contentPictureUrl(client, address) ?? address,
        choose: () => setAsked([null]),
      },
      () => setLinking(true),
    ),
  );
  /** What writes the Markdown, and what it wrote last. */
  const written = useRef<{ readonly writer: TextWriter; text: string } | null>(null);
  const editor = useEditor({
    extensions,
    content: opened.document,
    // The content security policy allows no inline styles; ours are in app.css.
    injectCSS: false,
    editorProps: {
      handleKeyDown: (_view, event) => {
        if (event.key.toLowerCase() !== "k" || event.altKey || event.shiftKey) return false;
        if (!event.ctrlKey && !event.metaKey) return false;
        event.preventDefault();
        // Elsewhere these keys open the search.
        event.stopPropagation();
        setLinking(true);
        return true;
      },
      handleDOMEvents: {
        focus: (view) => {
          // The browser puts the cursor at the beginning, and what is written at once would stand there.
          if (isReturning.current) queueMicrotask(() => view.focus());
          isReturning.current = false;
        },
      },
      handlePaste: (_view, { clipboardData }) => takePicture(clipboardData),
      handleDrop: (view, event, _slice, isMoved) => {
        if (isMoved || !takePicture(event.dataTransfer)) return false;
        const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (place !== null) {
          const { tr, doc } = view.state;
          view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(place.pos))));
        }
        return true;
      },
      transformPastedHTML: (html) => {
        const cleaned = cleanPastedHtml(html);
        setLeftOut(cleaned.pictures);
        return cleaned.html;
      },
      attributes: {
        ...(id === undefined ? {} : { id }),
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        class: "reading rich-text min-h-80 max-w-none p-4 focus:outline-none",
      },
    },
    onUpdate: ({ editor: changed }) => {
      written.current ??= startWriting(changed, opened);
      const text = written.current.writer.write(changed.state.doc);
      if (text === written.current.text) return;
      written.current.text = text;
      onChange(text);
    },
  });

  function takePicture(transfer: DataTransfer | null): boolean {
    const pictures = picturesIn(transfer);
    if (pictures.length > 0) setAsked(pictures);
    return pictures.length > 0;
  }

  function insert(picture: TextPicture, description: string) {
    const attrs = { address: textPictureAddress(picture), description };
    editor.commands.insertContent({ type: "picture", attrs });
  }

  return (
    <div className="relative rounded-control border border-control-line bg-raised focus-within:border-ink has-[.rich-text:focus-visible]:outline-2 has-[.rich-text:focus-visible]:outline-offset-2 has-[.rich-text:focus-visible]:outline-accent">
      <Tools editor={editor} />
      <EditorContent editor={editor} />
      <SlashMenu editor={editor} />
      {asked.length === 0 ? null : (
        <PictureDialog pictures={asked} onStored={insert} onClose={() => setAsked([])} />
      )}
      {isLinking ? (
        <LinkWindow
          editor={editor}
          onClose={() => {
            isReturning.current = true;
            setLinking(false);
          }}
        />
      ) : null}
      <p role="status" className="px-4 pb-3 text-sm empty:hidden">
        {leftOut === 0 ? null : richTextStrings.picturesLeftOut(leftOut)}
      </p>
      <p className="px-4 pb-3 text-sm text-muted">{richTextStrings.hint}</p>
    </div>
  );
}

/** The words that a link is about: the selected ones, or those of the link that the cursor is in. */
function linkedRange(editor: Editor) {
  const { from, to, $from } = editor.state.selection;
  const { link } = editor.schema.marks;
  const around = editor.isActive("link") && link ? getMarkRange($from, link) : undefined;
  return around && around.from <= from && around.to >= to ? around : { from, to };
}

/** Where the selected words lead, or those the cursor is in; without any, the address itself is inserted. */
function LinkWindow({
  editor,
  onClose,
}: {
  readonly editor: Editor;
  readonly onClose: () => void;
}) {
  const { href } = editor.getAttributes("link");
  const range = linkedRange(editor);
  function link(address: string) {
    const change = editor.chain();
    if (range.from === range.to) {
      const marks = [{ type: "link", attrs: { href: address } }];
      change.insertContent({ type: "text", text: address, marks });
    } else change.setTextSelection(range).setLink({ href: address }).setTextSelection(range.to);
    // What is written next stands behind the link.
    change.unsetMark("link").run();
    onClose();
  }
  return (
    <LinkDialog
      words={editor.state.doc.textBetween(range.from, range.to, " ").trim()}
      address={typeof href === "string" ? href : ""}
      onLink={link}
      onRemove={() => {
        editor.chain().extendMarkRange("link").unsetLink().run();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function startWriting(editor: Editor, opened: OpenedText) {
  const first = editor.schema.nodeFromJSON(opened.document);
  const writer = new TextWriter(opened, first);
  return { writer, text: writer.write(first) };
}

const tools: readonly EditorTool[] = [
  {
    label: richTextStrings.heading,
    icon: Heading2,
    isOn: (editor) => editor.isActive("heading", { level: 2 }),
    press: (editor) => editor.chain().focus().toggleHeading({ level: 2 }).run(),
  },
  {
    label: richTextStrings.smallerHeading,
    icon: Heading3,
    isOn: (editor) => editor.isActive("heading", { level: 3 }),
    press: (editor) => editor.chain().focus().toggleHeading({ level: 3 }).run(),
  },
  {
    label: richTextStrings.bold,
    icon: Bold,
    isOn: (editor) => editor.isActive("bold"),
    press: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    label: richTextStrings.italic,
    icon: Italic,
    isOn: (editor) => editor.isActive("italic"),
    press: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    label: richTextStrings.link,
    icon: Link,
    isOn: (editor) => editor.isActive("link"),
    press: (editor) => {
      // The window brings the focus back to where it was.
      editor.view.focus();
      editor.commands.askForLink();
    },
  },
  {
    label: richTextStrings.list,
    icon: List,
    isOn: (editor) => editor.isActive("bulletList"),
    press: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: richTextStrings.numberedList,
    icon: ListOrdered,
    isOn: (editor) => editor.isActive("orderedList"),
    press: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: richTextStrings.checkList,
    icon: ListChecks,
    isOn: (editor) => typeof editor.getAttributes("listItem")["checked"] === "boolean",
    press: (editor) => editor.chain().focus().toggleCheckList().run(),
  },
  {
    label: richTextStrings.quote,
    icon: Quote,
    isOn: (editor) => editor.isActive("blockquote"),
    press: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  {
    label: richTextStrings.note,
    icon: Info,
    isOn: (editor) => editor.isActive("blockquote", { callout: "note" }),
    press: (editor) =>
      editor.isActive("blockquote", { callout: "note" })
        ? editor.chain().focus().unsetBlockquote().run()
        : editor.chain().focus().setCallout("note").run(),
  },
  {
    label: richTextStrings.table,
    icon: Table,
    press: (editor) =>
      editor.chain().focus().insertTable({ rows: 3, cols: 2, withHeaderRow: true }).run(),
  },
  {
    label: richTextStrings.insertPicture,
    icon: Image,
    press: (editor) => editor.commands.choosePicture(),
  },
  {
    label: richTextStrings.footnote,
    icon: Superscript,
    press: (editor) => editor.chain().focus().insertFootnote().run(),
  },
];

/** They stand in one row, also where the tools before them take two. */
const historyTools: readonly EditorTool[] = [
  {
    label: richTextStrings.undo,
    icon: Undo2,
    press: (editor) => editor.chain().focus().undo().run(),
  },
  {
    label: richTextStrings.redo,
    icon: Redo2,
    press: (editor) => editor.chain().focus().redo().run(),
  },
];

function Tools({ editor }: { readonly editor: Editor }) {
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => tools.map(({ isOn }) => isOn?.(now)),
  });
  return (
    <div
      role="group"
      aria-label={richTextStrings.tools}
      className="sticky top-14 z-10 flex gap-1 overflow-x-auto rounded-t-control border-b border-line bg-raised p-1 sm:flex-wrap lg:top-16 lg:flex-nowrap lg:gap-0.5"
    >
      {tools.map((tool, index) => (
        <ToolButton key={tool.label} tool={tool} editor={editor} isOn={on[index]} />
      ))}
      <div className="flex gap-1 lg:gap-0.5">
        {historyTools.map((tool) => (
          <ToolButton key={tool.label} tool={tool} editor={editor} />
        ))}
      </div>
    </div>
  );
}
