import { useRef, useState } from "react";
import { Link } from "react-router";
import { studioDraftPath } from "@/domain/paths.ts";
import { exactTime, timeAgo } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { useNow } from "@/lib/use-now.ts";
import { useSave } from "@/lib/use-save.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { findRow } from "@/ui/queue-keys.ts";
import { QueueSection } from "@/ui/queue-section.tsx";
import { QueueWithPanel } from "@/ui/queue-with-panel.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { handDraftOver, sendDraftBack } from "../api/draft-actions.ts";
import type { DraftDetail } from "../api/drafts.ts";
import type { DraftSummary } from "../model/draft.ts";
import { publishTimeIn, publishTimeIssue, toTimeField } from "../model/publish-time.ts";
import { describePublication } from "./describe-publication.ts";
import { describeStudioError } from "./explain-studio-error.ts";
import { useDraft, usePlace, useSubmittedDrafts } from "../queries.ts";
import { handedOverTexts, kindNames, titleOrUntitled } from "../strings/names.ts";
import { reviewStrings } from "../strings/review.ts";
import { emptyComment, useReviewNotes } from "../use-review-notes.ts";
import { DraftText } from "./draft-text.tsx";
import { PublishTimeField } from "./publish-time-field.tsx";
import { ReviewCommentForm } from "./review-comment-form.tsx";
import { publishTimeStrings } from "../strings/actions.ts";

const inAddress = { draft: "" };

/** The articles and courses that wait for a review, oldest first; `?draft=` says which one is open. */
export function DraftReviewQueue() {
  const { data, isError, isFetching, refetch, dataUpdatedAt } = useSubmittedDrafts();
  const [{ draft: openId }, setAddress] = useUrlFilters(inAddress);
  const list = useRef<HTMLDivElement>(null);
  /** The draft whose turn it is after a decision. */
  const next = useRef<string | null>(null);
  // An address may lead to one that was decided since.
  const at = data?.findIndex(({ id }) => id === openId) ?? -1;
  const review =
    at === -1 ? null : (
      <Review
        key={openId}
        id={openId}
        focusAfter={() => findRow(list.current, next.current)}
        onDecided={() => {
          next.current = (data?.[at + 1] ?? data?.[at - 1])?.id ?? null;
          setAddress({ draft: "" }, { replace: true });
        }}
      />
    );
  return (
    <QueueWithPanel
      ref={list}
      label={reviewStrings.title}
      panel={review}
      panelLabel={reviewStrings.panel}
    >
      {(below) => (
        <>
          <QueueSection
            id="draft-review"
            title={reviewStrings.title}
            items={data}
            failed={isError}
            refreshing={isFetching}
            onRefresh={() => void refetch()}
            loadingLabel={reviewStrings.queueLoading}
            failedTitle={reviewStrings.queueFailed}
            emptyTitle={reviewStrings.emptyTitle}
            emptyText={reviewStrings.empty}
          >
            {(draft) => (
              <>
                <button
                  type="button"
                  data-row={draft.id}
                  aria-expanded={draft.id === openId}
                  onClick={() => setAddress({ draft: draft.id === openId ? "" : draft.id })}
                  className="grid min-h-14 w-full gap-0.5 px-4 py-3 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:bg-sunken sm:px-6"
                >
                  <span className="font-medium wrap-anywhere">{titleOrUntitled(draft.title)}</span>
                  <span className="text-sm text-muted">{describe(draft, dataUpdatedAt)}</span>
                </button>
                {draft.id === openId ? below : null}
              </>
            )}
          </QueueSection>
          {data && data.length > 0 ? (
            <p className="mt-3 text-sm text-muted max-md:hidden">{reviewStrings.keyboard}</p>
          ) : null}
        </>
      )}
    </QueueWithPanel>
  );
}

function describe({ kind, ownerName, submittedAt, publishedVersion }: DraftSummary, now: number) {
  return [
    publishedVersion === null ? kindNames[kind] : reviewStrings.changes(kind),
    ...(ownerName === "" ? [] : [reviewStrings.by(ownerName)]),
    ...(submittedAt === null ? [] : [timeAgo(submittedAt, now)]),
  ].join(" · ");
}

interface Decided {
  readonly onDecided: () => void;
  /** Where the focus goes after a decision. */
  readonly focusAfter: () => Element | null;
}

function Review({ id, ...decided }: Decided & { readonly id: string }) {
  const { data, isError, isFetching, refetch } = useDraft(id);
  if (data) return <ReviewForm key={data.version} draft={data} {...decided} />;
  return (
    <div className="px-4 pb-6 sm:px-6">
      {isError || data === null ? (
        <LoadFailed
          title={reviewStrings.draftFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={reviewStrings.draftLoading}>
          <Skeleton className="h-40 rounded-control" />
        </Loading>
      )}
    </div>
  );
}

function ReviewForm({ draft, onDecided, focusAfter }: Decided & { readonly draft: DraftDetail }) {
  const seen = { id: draft.id, version: draft.version };
  const { comments, next, change, clear } = useReviewNotes(seen);
  const [asking, setAsking] = useState<"publish" | "return" | null>(null);
  const text = useRef<HTMLDivElement>(null);
  const now = useNow();
  /** What the field for the time holds, at first the time its mentor asked for; null while it is closed. */
  const [time, setTime] = useState(() =>
    draft.publishAt === null || draft.publishAt <= now ? null : toTimeField(draft.publishAt),
  );
  const [timeIssue, setTimeIssue] = useState<string | null>(null);
  const publishAt = time === null ? null : publishTimeIn(time);
  const { save, busy, issue } = useSave({
    describeError: describeStudioError,
    onSaved: (done) => {
      if (done !== "") toast.good(done);
    },
  });
  async function decide() {
    const isDone =
      asking === "publish"
        ? await save(async (client) => {
            toast.good(handedOverTexts[await handDraftOver(client, "publish", seen, publishAt)]);
          }, "")
        : await save(
            async (client) => await sendDraftBack(client, seen, comments),
            reviewStrings.returned,
          );
    setAsking(null);
    if (!isDone) return;
    clear();
    onDecided();
  }
  function askToPublish() {
    const wrong = time === null ? null : publishTimeIssue(time, now);
    setTimeIssue(wrong && publishTimeStrings[wrong]);
    if (wrong === null) setAsking("publish");
  }
  const place = usePlace(draft.content.subcategoryId);
  const publishLabel = time === null ? reviewStrings.publish : reviewStrings.schedule;
  return (
    <div className="grid grid-cols-1 gap-6 px-4 pt-2 pb-6 sm:px-6 lg:pt-6 xl:grid-cols-[minmax(0,1fr)_18rem]">
      <div ref={text} className="min-w-0">
        <h3 className="display pb-4 text-2xl wrap-anywhere">{titleOrUntitled(draft.title)}</h3>
        <DraftText draft={draft} moduleHeading="h4" />
      </div>
      <div className="grid grid-cols-1 content-start gap-4 xl:sticky xl:top-6 xl:self-start">
        <Link className="text-sm font-medium underline" to={studioDraftPath(draft.id)}>
          {reviewStrings.draftLink}
        </Link>
        <ReviewCommentForm
          textRef={text}
          written={next}
          onWrite={(written) => change({ next: written })}
          onAdd={(comment) => change({ comments: [...comments, comment], next: emptyComment })}
        />
        {comments.length === 0 ? null : (
          <ul aria-label={reviewStrings.comments} className="grid gap-2">
            {comments.map((each, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- Two comments may say the same.
              <li key={index} className="grid gap-1 rounded-control bg-sunken p-3 text-sm">
                {each.quote === "" ? null : <q className="text-muted">{each.quote}</q>}
                <span className="whitespace-pre-wrap wrap-anywhere">{each.comment}</span>
                <Button
                  size="sm"
                  variant="quiet"
                  className="-ml-3 justify-self-start"
                  onClick={() => change({ comments: comments.toSpliced(index, 1) })}
                >
                  {reviewStrings.removeComment}
                </Button>
              </li>
            ))}
          </ul>
        )}
        {issue === null ? null : <Alert tone="danger">{issue}</Alert>}
        {draft.publishAt === null ? null : (
          <p className="text-sm text-muted">
            {reviewStrings.askedTime(exactTime(draft.publishAt))}
          </p>
        )}
        <PublishTimeField
          value={time}
          error={timeIssue}
          disabled={busy}
          onChange={(value) => {
            setTime(value);
            setTimeIssue(null);
          }}
        />
        <div className="flex flex-wrap gap-3">
          <Button disabled={busy} aria-keyshortcuts="a" onClick={askToPublish}>
            {publishLabel}
          </Button>
          <Button
            variant="secondary"
            aria-keyshortcuts="x"
            disabled={busy || comments.length === 0}
            onClick={() => setAsking("return")}
          >
            {reviewStrings.returnWithComments}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => setAsking(open ? asking : null)}
        title={reviewStrings.question(
          asking === "publish" ? publishLabel : reviewStrings.return,
          titleOrUntitled(draft.title),
        )}
        description={
          asking === "publish"
            ? reviewStrings.publishText(
                describePublication(
                  draft.kind,
                  place,
                  publishAt === null ? null : exactTime(publishAt),
                ),
              )
            : reviewStrings.returnText
        }
        confirmLabel={reviewStrings.confirm(
          asking === "publish" ? publishLabel : reviewStrings.return,
          draft.kind,
        )}
        cancelLabel={reviewStrings.cancel}
        focusAfter={focusAfter}
        busy={busy}
        onConfirm={() => void decide()}
      />
    </div>
  );
}
