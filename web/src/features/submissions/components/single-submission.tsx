import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useEffectiveLevel } from "@/features/levels/index.ts";
import { useShownPacts } from "@/features/pacts/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { submissionsOf } from "../model/feed.ts";
import { useSingleSubmission } from "../queries.ts";
import { submissionFeedStrings, submissionStrings } from "../strings.ts";
import { FeedSkeleton, SubmissionsLocked } from "./submission-feed.tsx";
import { SubmissionCard } from "./submission-card.tsx";

/** The submission a link leads to. */
export function SingleSubmission({
  id,
  showsComments,
}: {
  readonly id: string;
  readonly showsComments: boolean;
}) {
  const { data, isError, error, isFetching, refetch } = useSingleSubmission(id);
  const level = useEffectiveLevel();
  const [submission] = submissionsOf(data);
  const pacts = useShownPacts(submission ? [submission.id] : []);
  const isMissing = data !== undefined && submission === undefined;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div>
        <Button asChild variant="quiet" size="sm" className="-ml-3">
          <Link to={paths.submissions}>
            <ArrowLeft aria-hidden className="size-4" />
            {submissionStrings.all}
          </Link>
        </Button>
      </div>
      {submission ? (
        <SubmissionCard
          submission={submission}
          pact={pacts.get(submission.id)}
          showsComments={showsComments}
        />
      ) : null}
      {isMissing && level.status !== "loading" ? (
        level.status === "ready" && level.current === 0 ? (
          <SubmissionsLocked />
        ) : (
          <EmptyState title={submissionFeedStrings.notFoundTitle}>
            {submissionFeedStrings.notFound}
          </EmptyState>
        )
      ) : null}
      {!data && isError ? (
        <LoadFailed
          title={submissionFeedStrings.oneFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {(!data && !isError) || (isMissing && level.status === "loading") ? <FeedSkeleton /> : null}
    </div>
  );
}
