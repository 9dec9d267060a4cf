import { CircleAlert } from "lucide-react";
import { Link } from "react-router";
import { studioDraftPath } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import type { ImportItem } from "../model/import-files.ts";
import { kindNames, titleOrUntitled } from "../strings.ts";

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
        {item.content && item.kind === "course" ? ` · ${moduleCount(item)}` : null}
      </p>
      {item.content && !isPlaced ? (
        <p className="text-sm text-muted">
          {place === "" ? "Its folder names no subcategory" : `There is no subcategory ${place}`}.
          You choose one in the draft.
        </p>
      ) : null}
      {outcome === undefined ? null : (
        <Outcome outcome={outcome} title={item.title} busy={busy} onAgain={onAgain} />
      )}
      {item.issues.length === 0 ? null : (
        <ul aria-label={`To mend in ${item.path}`} className="grid gap-2">
          {item.issues.map(({ file, line, message, text }) => (
            <li
              key={`${file}-${line}-${message}`}
              className="wash grid gap-1 rounded-control p-3 text-sm [--accent:var(--warn)]"
            >
              <span className="flex items-start gap-2 font-medium">
                <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
                <span className="wrap-anywhere">
                  {file === item.path ? `Line ${line}` : `${file}, line ${line}`}: {message}
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

function moduleCount({ content }: ImportItem): string {
  const count = content?.modules.length ?? 0;
  return count === 1 ? "1 module" : `${count} modules`;
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
      Open the draft<span className="sr-only"> of {title}</span>
    </Link>
  );
  if (outcome.kind === "created") return <p className="text-sm">Imported. {link}</p>;
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <p>You have a draft with this address or title already, so it was skipped. {link}</p>
      <Button variant="secondary" size="sm" disabled={busy} onClick={onAgain}>
        Import as new
      </Button>
    </div>
  );
}
