import { useRef, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { MembershipNotice, useEffectiveLevel } from "@/features/levels/index.ts";
import { pactStrings, useShownPacts } from "@/features/pacts/index.ts";
import { FoldBlocked } from "@/features/people/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { pressQueueKey, useQueueKeysOfPage } from "@/ui/queue-keys.ts";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { submissionFeedStrings, submissionStrings } from "../strings.ts";
import { submissionsOf } from "../model/feed.ts";
import { submissionTypeInfo } from "./submission-type-info.ts";
import type { SubmissionType } from "../model/submission-type.ts";
import { useFeed, useFirstComments } from "../queries.ts";
import { SubmissionCard } from "./submission-card.tsx";

/** The submissions of one type or of all. */
export function SubmissionFeed({ type }: { readonly type: SubmissionType | null }) {
  const {
    data,
    isError,
    error,
    isFetching,
    isFetchingNextPage,
    refetch,
    hasNextPage,
    fetchNextPage,
  } = useFeed(type);
  const submissions = submissionsOf(data);
  const pacts = useShownPacts(submissions.map(({ id }) => id));
  const firstComments = useFirstComments(submissions);
  const list = useRef<HTMLUListElement>(null);
  useQueueKeysOfPage(list);
  if (!data) {
    return isError ? (
      <LoadFailed
        title={submissionStrings.feedFailed}
        busy={isFetching}
        advice={retryLaterMessage(error)}
        onRetry={() => void refetch()}
      />
    ) : (
      <FeedSkeleton />
    );
  }
  if (submissions.length === 0 && !hasNextPage) return <NothingYet type={type} />;
  return (
    <div className="grid grid-cols-1 gap-4">
      <SubmissionsLocked />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys move between the posts inside. */}
      <ul
        ref={list}
        aria-label={submissionFeedStrings.list}
        onKeyDown={moveBetweenPosts}
        className="grid grid-cols-1 gap-4"
      >
        {submissions.map((submission) => (
          <li key={submission.id} className="grid grid-cols-1">
            <FoldBlocked
              authorId={submission.author.id}
              className="rounded-card border border-dashed border-line px-5 py-3"
            >
              <SubmissionCard
                submission={submission}
                pact={pacts.get(submission.id)}
                firstComment={firstComments.get(submission.id)}
              />
            </FoldBlocked>
          </li>
        ))}
      </ul>
      {isError ? (
        <LoadFailed
          title={submissionStrings.feedFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {submissionFeedStrings.showOlder}
        </Button>
      ) : null}
    </div>
  );
}

/** J and K lead from post to post, as in the queues of the console; arrows go on scrolling. */
function moveBetweenPosts(event: KeyboardEvent<HTMLElement>): void {
  if (/^[jk]$/.test(event.key)) pressQueueKey(event);
}

/** Why a member who may not see others' submissions sees none; their own are still listed. */
export function SubmissionsLocked() {
  return <MembershipNotice>{submissionStrings.locked}</MembershipNotice>;
}

function NothingYet({ type }: { readonly type: SubmissionType | null }) {
  const level = useEffectiveLevel();
  // A locked feed is not an empty one.
  if (level.status === "loading") return <FeedSkeleton />;
  if (level.status === "ready" && level.current === 0) return <SubmissionsLocked />;
  return (
    <EmptyState
      title={
        type === null
          ? submissionFeedStrings.emptyTitle
          : submissionFeedStrings.emptyTypeTitle(submissionTypeInfo[type].plural)
      }
      action={
        <Button asChild variant="secondary">
          {type === "pact" ? (
            <Link to={paths.newPact}>{pactStrings.make}</Link>
          ) : (
            <Link to={paths.newSubmission}>{submissionFeedStrings.shareFirst}</Link>
          )}
        </Button>
      }
    >
      {submissionFeedStrings.empty}
    </EmptyState>
  );
}

export function FeedSkeleton() {
  return (
    <Loading label={submissionFeedStrings.loading} className="grid gap-4">
      {[0, 1, 2].map((each) => (
        <div
          key={each}
          className="grid gap-4 rounded-card border border-l-4 border-line bg-raised p-5 sm:p-6"
        >
          <div className="flex items-center gap-3">
            <Skeleton className="size-10 rounded-full" />
            <Skeleton className="w-40" />
          </div>
          <Skeleton className="h-6 w-32 rounded-full" />
          <Skeleton className="h-7 w-3/4" />
          <Skeleton className="h-16" />
        </div>
      ))}
    </Loading>
  );
}
