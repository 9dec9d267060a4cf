import { CircleAlert } from "lucide-react";
import { Link } from "react-router";
import { studioDraftPath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import type { ImportItem } from "../model/import-files.ts";
import { importItemStrings } from "../strings/import.ts";
import { noteMessageText } from "../strings/import-notes.ts";
import { kindNames, titleOrUntitled } from "../strings/names.ts";

/** What became of an article or a course: its new draft, the draft that was there already, or why there is none. */
export type ImportOutcome =
  | { readonly kind: "created" | "exists"; readonly draftId: string }
  | { readonly kind: "failed"; readonly message: string };

/** An article or a course among the chosen files, with what has to be mended. */
export function ImportItemRow({
  item,
  isPlaced,
  outcome,
  busy,
  onAgain,
}: {
  readonly item: ImportItem;
  /** Whether the studio has the subcategory that the folders name. */
  readonly isPlaced: boolean;
  readonly outcome: ImportOutcome | undefined;
  readonly busy: boolean;
  /** Imports it although there is a draft like it. */
  readonly onAgain: () => void;
}) {
  const place = item.shelf ? `${item.shelf.category}/${item.shelf.slug}` : "";
  return (
    <div className="grid gap-2 px-4 py-3">
      <p className="font-medium wrap-anywhere">{titleOrUntitled(item.title)}</p>
      <p className="text-sm wrap-anywhere text-muted">
        {kindNames[item.kind]} · {item.path}
        {item.content && item.kind === "course"
          ? ` · ${importItemStrings.modules(item.content.modules.length)}`
          : null}
      </p>
      {item.content && !isPlaced ? (
        <p className="text-sm text-muted">{importItemStrings.notPlaced(place)}</p>
      ) : null}
      {outcome === undefined ? null : (
        <Outcome outcome={outcome} title={item.title} busy={busy} onAgain={onAgain} />
      )}
      {item.changes.length === 0 ? null : (
        <details className="text-sm">
          <summary className="min-h-6 w-fit cursor-pointer rounded-control font-medium text-muted">
            {importItemStrings.changes(item.changes.length)}
            <span className="sr-only"> · {item.path}</span>
          </summary>
          <ul aria-label={importItemStrings.changesOf(item.path)} className="grid gap-1 pt-2 pl-4">
            {item.changes.map(({ line, message }) => (
              <li key={`${line}-${message.join()}`} className="list-disc wrap-anywhere text-muted">
                {importItemStrings.issue(line, noteMessageText(message))}
              </li>
            ))}
          </ul>
        </details>
      )}
      {item.issues.length === 0 ? null : (
        <ul aria-label={importItemStrings.issues(item.path)} className="grid gap-2">
          {item.issues.map(({ file, line, message, text }) => (
            <li
              key={`${file}-${line}-${message.join()}`}
              className="wash grid gap-1 rounded-control p-3 text-sm [--accent:var(--warn)]"
            >
              <span className="flex items-start gap-2 font-medium">
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                <span className="wrap-anywhere">
                  {file === item.path
                    ? importItemStrings.issue(line, noteMessageText(message))
                    : importItemStrings.issueInFile(file, line, noteMessageText(message))}
                </span>
              </span>
              {text === "" ? null : <code className="pl-6 wrap-anywhere">{text}</code>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Outcome({
  outcome,
  title,
  busy,
  onAgain,
}: {
  readonly outcome: ImportOutcome;
  readonly title: string;
  readonly busy: boolean;
  readonly onAgain: () => void;
}) {
  if (outcome.kind === "failed") {
    return (
      <p role="alert" className="text-sm text-danger">
        {outcome.message}
      </p>
    );
  }
  const link = (
    <Link className="font-medium underline" to={studioDraftPath(outcome.draftId)}>
      {importItemStrings.openDraft}
      <span className="sr-only">{importItemStrings.openDraftOf(title)}</span>
    </Link>
  );
  if (outcome.kind === "created") {
    return (
      <p className="text-sm">
        {importItemStrings.imported} {link}
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <p>
        {importItemStrings.skipped} {link}
      </p>
      <Button variant="secondary" size="sm" disabled={busy} onClick={onAgain}>
        {importItemStrings.importAgain}
      </Button>
    </div>
  );
}
