import type { ReactNode } from "react";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import type { DraftSummary } from "../model/draft.ts";
import { kindNames, titleOrUntitled } from "../strings.ts";
import { DraftStatusBadge } from "./status-badge.tsx";

/** The title of a draft and where it stands. */
export function DraftHeader({
  draft,
  title,
  children,
}: {
  readonly draft: DraftSummary;
  readonly title: string;
  /** Beside the state, such as how saving goes. */
  readonly children?: ReactNode;
}) {
  const note = noteOn(draft);
  return (
    <header className="grid gap-3">
      <h1 className="display text-2xl wrap-anywhere sm:text-3xl">{titleOrUntitled(title)}</h1>
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <DraftStatusBadge status={draft.status} />
        {kindNames[draft.kind]}
        {draft.ownerName === "" ? null : ` by ${draft.ownerName}`}
        {children}
      </p>
      {note === null ? null : <Alert tone="info">{note}</Alert>}
    </header>
  );
}

function noteOn({ status, publishedVersion, version, publishAt }: DraftSummary): string | null {
  switch (status) {
    case "submitted":
      return "An administrator is reviewing this. Recall it to change it.";
    case "scheduled":
      return `Members can read this from ${publishAt === null ? "its time" : exactTime(publishAt)}.`;
    case "archived":
      return "This is put away. Take it out of the archive to write on.";
    case "returned":
      return "An administrator sent this back. Read the comments, change the text, then submit it again.";
    case "published":
      return publishedVersion !== version
        ? "Members read the published version until an administrator approves your changes."
        : null;
    case "draft":
    case "withdrawn":
      return null;
  }
}
