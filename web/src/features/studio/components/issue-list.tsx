import { Fragment, lazy, Suspense, type Ref } from "react";
import { Alert } from "@/ui/alert.tsx";
import type { DraftContent, DraftKind } from "../model/draft.ts";
import type { DraftIssue } from "../model/studio-errors.ts";
import { draftNotesStrings } from "../strings/draft.ts";
import { draftFieldName } from "../strings/names.ts";

// With the list below the text, whose parser it shares.
const TextWarnings = lazy(async () => ({
  default: (await import("./markdown-issues.tsx")).TextWarnings,
}));

/** Fields that say themselves what they need. */
const ownFields: Readonly<Record<DraftKind, readonly string[]>> = {
  article: ["title", "excerpt", "subcategory_id", "slug", "tags", "cover"],
  course: ["title", "excerpt", "subcategory_id", "slug", "cover"],
};

/**
 * What a draft still needs before it can be submitted: where to look for what a field says itself, and the rest in words, so
 * that each thing is said once. Renders nothing without issues.
 */
export function IssueList({
  kind,
  content,
  issues,
  onLead,
  ref,
}: {
  readonly kind: DraftKind;
  readonly content: DraftContent;
  readonly issues: readonly DraftIssue[];
  /** Leads to one of the fields. */
  readonly onLead: (field: string) => void;
  /** What has the focus after a submission that was refused. */
  readonly ref: Ref<HTMLDivElement>;
}) {
  if (issues.length === 0) return null;
  const fields = ownFields[kind].filter((name) => issues.some(({ field }) => field === name));
  const others = issues.filter(({ field }) => !ownFields[kind].includes(field));
  return (
    <div ref={ref} tabIndex={-1} className="scroll-mt-24 rounded-control">
      <Alert tone="warn" title={draftNotesStrings.issuesTitle}>
        <ul className="list-disc pl-5">
          {fields.length === 0 ? null : (
            <li>
              {draftNotesStrings.complete}
              {fields.map((field, place) => (
                <Fragment key={field}>
                  {place === 0 ? null : ", "}
                  <button
                    type="button"
                    className="min-h-6 rounded-control font-medium underline underline-offset-4"
                    onClick={() => onLead(field)}
                  >
                    {draftFieldName(field)}
                  </button>
                </Fragment>
              ))}
            </li>
          )}
          {others.map(({ field, message }) => (
            <li key={`${field}-${message}`}>
              <span className="font-medium">{draftFieldName(field)}:</span> {message}
            </li>
          ))}
          <Suspense fallback={null}>
            <TextWarnings kind={kind} content={content} />
          </Suspense>
        </ul>
      </Alert>
    </div>
  );
}
