import type { Editor } from "@tiptap/react";
import { useEditorState } from "@tiptap/react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { blocksFor, insertBlock, slashQuery, type EditorBlock } from "./editor-blocks.ts";
import { richTextStrings } from "../strings/text-editor.ts";
import { isComposing } from "@/ui/composition.ts";

/**
 * The blocks one may insert, while `/` and letters are typed at the start of a paragraph. The focus stays in the text; arrow
 * keys choose, Enter inserts, Escape closes.
 */
export function SlashMenu({ editor }: { readonly editor: Editor }) {
  const query = useEditorState({ editor, selector: ({ editor: now }) => slashQuery(now) });
  // Escape closes it for as long as the same line is typed on.
  const [isClosed, setClosed] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  if (wasOpen !== (query !== null)) {
    setWasOpen(query !== null);
    setClosed(false);
  }
  const blocks = query === null || isClosed ? [] : blocksFor(query);
  if (blocks.length === 0) return null;
  return <Options key={query} editor={editor} blocks={blocks} onClose={() => setClosed(true)} />;
}

function Options({
  editor,
  blocks,
  onClose,
}: {
  readonly editor: Editor;
  readonly blocks: readonly EditorBlock[];
  readonly onClose: () => void;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    place(list.current, editor);
  }, [editor]);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  useEffect(() => {
    const text = editor.view.dom;
    const names = {
      "aria-controls": id,
      "aria-activedescendant": `${id}-${chosen}`,
    };
    for (const [name, value] of Object.entries(names)) text.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(names)) text.removeAttribute(name);
    };
  }, [editor, id, chosen]);
  // With the menu itself, so that no key falls in between.
  useLayoutEffect(() => {
    const text = editor.view.dom;
    // Before the editor's own keys.
    function press(event: KeyboardEvent) {
      if (isComposing(event)) return;
      const block = blocks[chosen];
      if (event.key === "ArrowDown") setChosen((chosen + 1) % blocks.length);
      else if (event.key === "ArrowUp") setChosen((chosen + blocks.length - 1) % blocks.length);
      else if (event.key === "Escape") onClose();
      else if (event.key === "Enter" && block) insertBlock(editor, block);
      else return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }
    text.addEventListener("keydown", press, { capture: true });
    return () => text.removeEventListener("keydown", press, { capture: true });
  }, [editor, blocks, chosen, onClose]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={richTextStrings.blocks}
      className="absolute z-20 max-h-72 w-64 overflow-y-auto rounded-control border border-line bg-raised p-1 shadow-float"
    >
      {blocks.map((block, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The keys are the text's, which keeps the focus.
        <div
          key={block.label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => insertBlock(editor, block)}
          className="grid min-h-12 cursor-pointer content-center rounded-control px-3 py-1 text-sm hover:bg-hover aria-selected:bg-sunken"
        >
          <span>{block.label} </span>
          <span className="text-xs text-muted">{block.line}</span>
        </div>
      ))}
    </div>
  );
}

/** The lowest edge of the bars at the top of the window. */
const barsBottom = 64;

/** Below the line that is typed, or above it where the window ends before the menu. */
function place(list: HTMLElement | null, editor: Editor): void {
  const frame = list?.offsetParent?.getBoundingClientRect();
  if (!list || !frame) return;
  const at = editor.view.coordsAtPos(editor.state.selection.from);
  // Less than the window while a phone shows its keyboard.
  const seen = window.visualViewport;
  const end = seen ? seen.offsetTop + seen.height : window.innerHeight;
  const above = at.top - list.offsetHeight - 4;
  const isAbove = at.bottom + 4 + list.offsetHeight > end && above >= barsBottom;
  list.style.top = `${(isAbove ? above : at.bottom + 4) - frame.top}px`;
  list.style.left = `${Math.max(0, Math.min(at.left - frame.left, frame.width - 264))}px`;
}
