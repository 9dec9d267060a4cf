import { TriangleAlert } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import { checkMarkdown } from "@/domain/library-markdown.ts";
import { textEditorStrings } from "../strings/text-editor.ts";

interface LineIssue {
  readonly line: number;
  readonly message: string;
}

/** What the library does not allow in a text, line by line, as an import checks it. Loaded with its parser. */
export default function MarkdownIssues({
  markdown,
  onGoTo,
}: {
  readonly markdown: string;
  readonly onGoTo: (line: number) => void;
}) {
  const settled = useDeferredValue(markdown);
  const issues = useMemo(() => {
    const found: LineIssue[] = [];
    checkMarkdown(settled, 1, (line, message) => found.push({ line, message }));
    return found;
  }, [settled]);
  const lines = settled.split("\n");
  if (issues.length === 0) return null;
  return (
    <ul aria-label={textEditorStrings.issues} className="grid gap-2">
      {issues.map(({ line, message }) => (
        <li
          key={`${line}-${message}`}
          className="wash grid gap-1 rounded-control p-3 text-sm [--accent:var(--warn)]"
        >
          <button
            type="button"
            className="flex items-start gap-2 text-left font-medium underline"
            onClick={() => onGoTo(line)}
          >
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>{textEditorStrings.issue(line, message)}</span>
          </button>
          <code className="pl-6 wrap-anywhere">{lines[line - 1]}</code>
        </li>
      ))}
    </ul>
  );
}
