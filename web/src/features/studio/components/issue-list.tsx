import { Alert } from "@/ui/alert.tsx";
import type { DraftIssue } from "../model/studio-errors.ts";
import { draftNotesStrings } from "../strings/draft.ts";
import { draftFieldName } from "../strings/names.ts";

/** What a draft still needs before it can be submitted. Renders nothing without issues. */
export function IssueList({ issues }: { readonly issues: readonly DraftIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <Alert tone="warn" title={draftNotesStrings.issuesTitle}>
      <ul className="list-disc pl-5">
        {issues.map(({ field, message }) => (
          <li key={`${field}-${message}`}>
            <span className="font-medium">{draftFieldName(field)}:</span> {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
