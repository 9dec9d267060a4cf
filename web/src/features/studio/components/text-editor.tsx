import { lazy, Suspense, useId, useRef, useState, type ReactNode } from "react";
import { countWords, readingMinutes } from "@/domain/reading-minutes.ts";
import { Button } from "@/ui/button.tsx";
import { controlClasses } from "@/ui/field.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { classNames } from "@/ui/class-names.ts";
import { textEditorStrings } from "../strings/text-editor.ts";

const GuardedTextEditor = lazy(() => import("./guarded-text-editor.tsx"));
const MarkdownIssues = lazy(() => import("./markdown-issues.tsx"));

export interface TextEditorProps {
  /** Of the field that is written in. */
  readonly id?: string | undefined;
  /** Names the text, such as `Article`. */
  readonly label: string;
  /** Stands above the text in place of the label. */
  readonly heading?: ReactNode;
  readonly markdown: string;
  readonly onChange: (markdown: string) => void;
}

/** A text, written as it will look or as Markdown. Both write the same Markdown. */
export function TextEditor({ id, label, heading, markdown, onChange }: TextEditorProps) {
  const [asMarkdown, setAsMarkdown] = useState(false);
  const labelId = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  /** The line to go to once the Markdown is shown. */
  const target = useRef<number | null>(null);

  function goTo(line: number) {
    if (area.current === null) {
      target.current = line;
      setAsMarkdown(true);
    } else selectLine(area.current, line);
  }

  return (
    <section
      aria-labelledby={labelId}
      className={classNames("grid grid-cols-1", heading === undefined ? "gap-2" : "gap-0.5")}
    >
      <div className="flex items-center justify-between gap-3">
        <h2
          id={labelId}
          className={classNames("text-sm font-medium", heading !== undefined && "sr-only")}
        >
          {label}{" "}
          {countWords(markdown) === 0 ? null : (
            <span className="tabular font-normal text-muted">
              {textEditorStrings.minutes(readingMinutes(markdown))}
            </span>
          )}
        </h2>
        {heading}
        <Button
          size="sm"
          variant="quiet"
          className="shrink-0 aria-pressed:border-ink aria-pressed:bg-sunken"
          aria-pressed={asMarkdown}
          onClick={() => setAsMarkdown(!asMarkdown)}
        >
          {textEditorStrings.markdown}
        </Button>
      </div>
      {asMarkdown ? (
        <textarea
          ref={(element) => {
            area.current = element;
            if (element !== null && target.current !== null) selectLine(element, target.current);
            target.current = null;
          }}
          id={id}
          aria-label={textEditorStrings.asMarkdown(label)}
          rows={18}
          spellCheck
          className={classNames(
            controlClasses,
            "field-sizing-content min-h-80 py-3 font-mono text-sm",
          )}
          value={markdown}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Suspense
          fallback={
            <Loading label={textEditorStrings.loading}>
              <Skeleton className="h-80 rounded-control" />
            </Loading>
          }
        >
          <GuardedTextEditor
            id={id}
            label={label}
            markdown={markdown}
            onChange={onChange}
            onAsMarkdown={() => setAsMarkdown(true)}
          />
        </Suspense>
      )}
      <Suspense fallback={null}>
        <MarkdownIssues markdown={markdown} onGoTo={goTo} />
      </Suspense>
    </section>
  );
}

function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
}
