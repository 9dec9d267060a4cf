import { TriangleAlert } from "lucide-react";
import { useDeferredValue, useMemo } from "react";
import { checkMarkdown } from "@/domain/library-markdown.ts";
import type { DraftContent, DraftKind } from "../model/draft.ts";
import { draftNotesStrings } from "../strings/draft.ts";
import { draftFieldName } from "../strings/names.ts";
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

function countWarnings(markdown: string): number {
  let count = 0;
  checkMarkdown(markdown, 1, () => {
    count += 1;
  });
  return count;
}

/** How many warnings stand below each text, as items of the list of what a draft still needs. Loaded with the parser. */
export function TextWarnings({
  kind,
  content,
}: {
  readonly kind: DraftKind;
  readonly content: Pick<DraftContent, "content" | "modules">;
}) {
  const settled = useDeferredValue(content);
  const warnings = useMemo(
    () =>
      kind === "article"
        ? [{ field: "content", count: countWarnings(settled.content) }]
        : settled.modules.map((module, index) => ({
            field: `modules.${index + 1}`,
            count: countWarnings(module.content),
          })),
    [kind, settled],
  );
  return warnings
    .filter(({ count }) => count > 0)
    .map(({ field, count }) => (
      <li key={field}>
        <span className="font-medium">{draftFieldName(field)}:</span>{" "}
        {draftNotesStrings.warnings(count)}
      </li>
    ));
}
