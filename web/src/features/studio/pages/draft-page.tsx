import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { BackLink, NotFoundMessage } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { CommentList } from "../components/comment-list.tsx";
import { DraftActions } from "../components/draft-actions.tsx";
import { DraftEditor } from "../components/draft-editor.tsx";
import { DraftHeader, draftHeadingId } from "../components/draft-header.tsx";
import { VersionList } from "../components/version-list.tsx";
import type { DraftDetail } from "../api/drafts.ts";
import { isEditable } from "../model/draft.ts";
import { useDraft } from "../queries.ts";
import { draftPageStrings } from "../strings/draft.ts";
import { titleOrUntitled } from "../strings/names.ts";

// With the reader and the player, which the other pages of the studio go without.
const DraftText = lazy(async () => ({
  default: (await import("../components/draft-text.tsx")).DraftText,
}));

/** `/studio/{draftId}`: the editor for its mentor, else how the draft stands. */
export function DraftPage() {
  const { draftId = "" } = useParams();
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useDraft(draftId);
  const userId = useUserId();
  /** When the data was read that is no longer the newest version, because the draft could not be read again after a change. */
  const [outdatedAt, setOutdatedAt] = useState<number | null>(null);
  /** Counts what replaced the text from outside, so that the editor begins anew. */
  const [epoch, setEpoch] = useState(0);
  const isWriting = Boolean(data && data.ownerId === userId && isEditable(data.status));
  useFocusAfterChange(data ? `${isWriting ? "editor" : "read-only"}/${epoch}` : null);
  usePageDetail(data ? titleOrUntitled(data.title) : null);
  if (data === null) {
    return (
      <NotFoundMessage
        title={draftPageStrings.notFoundTitle}
        to={paths.studio}
        back={draftPageStrings.backToStudio}
      >
        {draftPageStrings.notFound}
      </NotFoundMessage>
    );
  }
  async function reload() {
    const result = await refetch();
    if (result.isError) setOutdatedAt(result.dataUpdatedAt);
    else setEpoch((before) => before + 1);
  }
  if (dataUpdatedAt === outdatedAt || (isError && data === undefined)) {
    return (
      <LoadFailed
        title={draftPageStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void reload()}
      />
    );
  }
  if (data === undefined) {
    return (
      <Loading label={draftPageStrings.loading} className="grid gap-4">
        <Skeleton className="h-10 w-2/3" />
        <Skeleton className="h-96 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-3">
      {isWriting ? (
        <DraftEditor key={`${data.id}/${epoch}`} draft={data} onReload={reload} />
      ) : (
        <ReadOnlyDraft draft={data} onReload={reload} />
      )}
    </div>
  );
}

/**
 * Moves the focus to the heading when what had it went with the view that was replaced. A read that anything else began, such
 * as a live update, may replace the view before the page's own read ends, so the view itself is watched; null while there is none.
 */
function useFocusAfterChange(view: string | null): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    if (view === null) return;
    const isReplaced = before.current !== null && before.current !== view;
    before.current = view;
    if (!isReplaced || document.activeElement !== document.body) return;
    document.getElementById(draftHeadingId)?.focus();
  }, [view]);
}

/** A draft that cannot be written in at the moment. */
function ReadOnlyDraft({
  draft,
  onReload,
}: {
  readonly draft: DraftDetail;
  readonly onReload: () => Promise<void>;
}) {
  return (
    <>
      <BackLink to={paths.studio}>{draftPageStrings.backLink}</BackLink>
      <DraftHeader draft={draft} title={draft.title} />
      <DraftActions draft={draft} version={draft.version} onMoved={onReload} />
      <CommentList comments={draft.comments} version={draft.version} />
      <section aria-labelledby="draft-text" className="grid grid-cols-1 gap-4 pt-3">
        <h2 id="draft-text" className="display text-xl">
          {draftPageStrings.text}
        </h2>
        <Suspense fallback={<Skeleton className="h-64 max-w-reading" />}>
          <DraftText draft={draft} moduleHeading="h3" />
        </Suspense>
      </section>
      <VersionList draft={draft} version={draft.version} onRestored={null} />
    </>
  );
}
