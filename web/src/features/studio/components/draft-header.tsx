import type { ReactNode } from "react";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import type { DraftDetail } from "../api/drafts.ts";
import { ownTimeZone } from "../model/publish-time.ts";
import { draftHeaderStrings } from "../strings/draft.ts";
import { kindNames, titleOrUntitled } from "../strings/names.ts";
import { DraftStatusBadge } from "./status-badge.tsx";

/** Id of the heading with the title of a draft. */
export const draftHeadingId = "draft-title";

/** The title of a draft and where it stands. */
export function DraftHeader({
  draft,
  title,
  titleField,
  actions,
  children,
}: {
  readonly draft: DraftDetail;
  readonly title: string;
  /** Where the title is written; without it the title is read. */
  readonly titleField?: ReactNode | undefined;
  /** Beside the state, what moves the draft on. */
  readonly actions?: ReactNode | undefined;
  /** Beside the state, such as how saving goes. */
  readonly children?: ReactNode;
}) {
  const note = noteOn(draft);
  return (
    <header className="grid grid-cols-1 gap-3">
      <h1
        id={draftHeadingId}
        tabIndex={-1}
        className={
          titleField === undefined
            ? "display text-2xl wrap-anywhere focus:outline-none sm:text-3xl"
            : "sr-only"
        }
      >
        {titleOrUntitled(title)}
      </h1>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <DraftStatusBadge status={draft.status} />
          {kindNames[draft.kind]}
          {draft.ownerName === "" ? null : draftHeaderStrings.byOwner(draft.ownerName)}
          {children}
        </p>
        {actions === undefined ? null : (
          <div className="flex flex-wrap gap-2 sm:gap-3">{actions}</div>
        )}
      </div>
      {titleField}
      {note === null ? null : <Alert tone="info">{note}</Alert>}
    </header>
  );
}

function noteOn({
  status,
  publishedVersion,
  version,
  publishAt,
  publishesDirectly,
}: DraftDetail): string | null {
  const time = publishAt === null ? null : `${exactTime(publishAt)} (${ownTimeZone()})`;
  switch (status) {
    case "submitted":
      return time === null ? draftHeaderStrings.inReview : draftHeaderStrings.inReviewForTime(time);
    case "scheduled":
      return draftHeaderStrings.scheduled(time);
    case "archived":
      return draftHeaderStrings.archived;
    case "returned":
      return draftHeaderStrings.returned;
    case "published":
      if (publishedVersion === version) return null;
      return publishesDirectly
        ? draftHeaderStrings.changesUnpublished
        : draftHeaderStrings.changesUnapproved;
    case "draft":
    case "withdrawn":
      return null;
  }
}
