import type { Editor } from "@tiptap/react";
import type { LucideIcon } from "lucide-react";

/** A tool above the text. */
export interface EditorTool {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isOn?: (editor: Editor) => boolean;
  readonly press: (editor: Editor) => void;
}

export function ToolButton({
  tool: { label, icon: Icon, press },
  editor,
  isOn,
}: {
  readonly tool: EditorTool;
  readonly editor: Editor;
  readonly isOn?: boolean | undefined;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isOn}
      onClick={() => press(editor)}
      className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-hover hover:text-ink lg:h-9 lg:w-9 lg:min-w-7 lg:shrink aria-pressed:bg-sunken aria-pressed:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}
