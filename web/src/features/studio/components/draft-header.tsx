import type { ReactNode } from "react";
import { paths } from "@/domain/paths.ts";
import { BackLink } from "@/features/library/index.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import type { DraftDetail } from "../api/drafts.ts";
import { ownTimeZone } from "../model/publish-time.ts";
import { draftHeaderStrings, draftPageStrings } from "../strings/draft.ts";
import { kindNames, titleOrUntitled } from "../strings/names.ts";
import { DraftStatusBadge } from "./status-badge.tsx";

/** Id of the heading with the title of a draft. */
export const draftHeadingId = "draft-title";

const standing = "flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted";

/** The title of a draft and where it stands. */
export function DraftHeader({
  draft,
  title,
}: {
  readonly draft: DraftDetail;
  readonly title: string;
}) {
  return (
    <header className="grid grid-cols-1 gap-3">
      <h1
        id={draftHeadingId}
        tabIndex={-1}
        className="display text-2xl wrap-anywhere focus:outline-none sm:text-3xl"
      >
        {titleOrUntitled(title)}
      </h1>
      <p className={standing}>
        <DraftStatusBadge status={draft.status} />
        {kindNames[draft.kind]}
        {draft.ownerName === "" ? null : draftHeaderStrings.byOwner(draft.ownerName)}
      </p>
      <DraftNote draft={draft} />
    </header>
  );
}

/** The same in the editor: in one line with what moves it on, above the title that is written. */
export function EditorHeader({
  draft,
  title,
  saving,
  actions,
  children,
}: {
  readonly draft: DraftDetail;
  readonly title: string;
  /** How saving goes. */
  readonly saving: ReactNode;
  readonly actions: ReactNode;
  /** Where the title is written. */
  readonly children: ReactNode;
}) {
  return (
    <header className="-mt-4 grid grid-cols-1 gap-3 sm:gap-2">
      <h1 id={draftHeadingId} tabIndex={-1} className="sr-only">
        {titleOrUntitled(title)}
      </h1>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 sm:gap-y-2">
        <div className={standing}>
          <BackLink to={paths.studio}>{draftPageStrings.backLink}</BackLink>
          <DraftStatusBadge status={draft.status} />
          <span className="max-sm:sr-only">{kindNames[draft.kind]}</span>
          {saving}
        </div>
        <div className="flex flex-wrap gap-1.5 sm:gap-3">{actions}</div>
      </div>
      <DraftNote draft={draft} />
      {children}
    </header>
  );
}

function DraftNote({ draft }: { readonly draft: DraftDetail }) {
  const note = noteOn(draft);
  return note === null ? null : <Alert tone="info">{note}</Alert>;
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
