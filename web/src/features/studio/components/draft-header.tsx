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
  children,
}: {
  readonly draft: DraftDetail;
  readonly title: string;
  /** Beside the state, such as how saving goes. */
  readonly children?: ReactNode;
}) {
  const note = noteOn(draft);
  return (
    <header className="grid gap-3">
      <h1
        id={draftHeadingId}
        tabIndex={-1}
        className="display text-2xl wrap-anywhere focus:outline-none sm:text-3xl"
      >
        {titleOrUntitled(title)}
      </h1>
      <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
        <DraftStatusBadge status={draft.status} />
        {kindNames[draft.kind]}
        {draft.ownerName === "" ? null : draftHeaderStrings.byOwner(draft.ownerName)}
        {children}
      </p>
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
