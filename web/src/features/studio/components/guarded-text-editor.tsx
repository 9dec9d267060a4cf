import { getSchema } from "@tiptap/core";
import { useState } from "react";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { createEditorExtensions } from "./editor-extensions.ts";
import { openText, type OpenedText } from "../model/text-document.ts";
import { textGuardStrings } from "../strings/text-editor.ts";
import { RichTextEditor } from "./rich-text-editor.tsx";

export interface GuardedTextEditorProps {
  readonly id?: string | undefined;
  readonly label: string;
  readonly markdown: string;
  readonly onChange: (markdown: string) => void;
  /** Shows the text as Markdown instead. */
  readonly onAsMarkdown: () => void;
}

/** Null for a text that the editor has no document for. */
function open(markdown: string): OpenedText | null {
  const opened = openText(markdown);
  if (opened === null) return null;
  try {
    getSchema(createEditorExtensions()).nodeFromJSON(opened.document).check();
    return opened;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The editor, for a text that it keeps. Of any other the mentor decides first, and nothing is saved before. */
export default function GuardedTextEditor({
  id,
  label,
  markdown,
  onChange,
  onAsMarkdown,
}: GuardedTextEditorProps) {
  const [opened] = useState(() => open(markdown));
  const [isAccepted, setAccepted] = useState(false);
  if (opened !== null && (opened.isFaithful || isAccepted)) {
    return <RichTextEditor id={id} label={label} opened={opened} onChange={onChange} />;
  }
  return (
    <>
      <Alert
        tone="warn"
        title={textGuardStrings.title}
        action={
          <span className="flex flex-wrap gap-3">
            <Button size="sm" onClick={onAsMarkdown}>
              {textGuardStrings.asMarkdown}
            </Button>
            {opened === null ? null : (
              <Button size="sm" variant="secondary" onClick={() => setAccepted(true)}>
                {textGuardStrings.anyway}
              </Button>
            )}
          </span>
        }
      >
        {opened === null ? textGuardStrings.tooDeep : textGuardStrings.changes}
      </Alert>
      <pre
        role="region"
        aria-label={textGuardStrings.text(label)}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so the keyboard must reach it.
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-control border border-line bg-sunken p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {markdown}
      </pre>
    </>
  );
}
