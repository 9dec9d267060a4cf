import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { pactStrings, useMyPacts, useShownPacts } from "@/features/pacts/index.ts";
import { BlockedMembers } from "@/features/people/index.ts";
import { systemClock } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { submissionsOf } from "../model/feed.ts";
import { useSingleSubmission } from "../queries.ts";
import { newSubmissionStrings, submissionStrings } from "../strings.ts";
import { SubmissionCard } from "../components/submission-card.tsx";
import { FeedSkeleton, SubmissionsLocked } from "../components/submission-feed.tsx";
import { SubmissionForm } from "../components/submission-form.tsx";

/** How long the success message is shown before the redirect. Milliseconds. */
const redirectAfterMs = 1500;

/** `/learning/create`: the form, and on success the way to the feed. With `?pact=` it tells how that pact went. */
export function NewSubmissionPage() {
  const [parameters] = useSearchParams();
  const pactId = parameters.get("pact");
  const navigate = useNavigate();
  const [created, setCreated] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (created === null) return undefined;
    // The button that was pressed stood at the foot of a longer page.
    place.current?.scrollIntoView({ block: "nearest" });
    return systemClock.after(redirectAfterMs, () => void navigate(paths.submissions));
  }, [created, navigate]);
  return (
    <div className="grid max-w-column grid-cols-1 gap-6">
      <div>
        <Button asChild variant="quiet" size="sm" className="-ml-3">
          <Link to={paths.submissions}>
            <ArrowLeft aria-hidden className="size-4" />
            {submissionStrings.all}
          </Link>
        </Button>
      </div>
      <PageHeader
        className="pb-0"
        title={pactId === null ? newSubmissionStrings.title : pactStrings.outcomeTitle}
        intro={pactId === null ? newSubmissionStrings.intro : pactStrings.outcomeIntro}
      />
      <SubmissionsLocked />
      {created === null ? (
        pactId === null ? (
          <SubmissionForm onCreated={setCreated} />
        ) : (
          <OutcomeForm pactId={pactId} onCreated={setCreated} />
        )
      ) : (
        <>
          <div ref={place} className="scroll-mt-20">
            <Alert tone="good">{submissionStrings.created}</Alert>
          </div>
          <BlockedMembers>
            <CreatedSubmission id={created} />
          </BlockedMembers>
        </>
      )}
    </div>
  );
}

/** What was shared, as the feed will show it; the shape of the feed until then. */
function CreatedSubmission({ id }: { readonly id: string }) {
  const { data } = useSingleSubmission(id);
  const [submission] = submissionsOf(data);
  const pacts = useShownPacts(submission ? [id] : []);
  if (!submission) return <FeedSkeleton />;
  return <SubmissionCard submission={submission} pact={pacts.get(id)} />;
}

/** The form below the pact it closes. */
function OutcomeForm({
  pactId,
  onCreated,
}: {
  readonly pactId: string;
  readonly onCreated: (id: string) => void;
}) {
  const { data, isError, isFetching, refetch } = useMyPacts();
  if (!data) {
    return isError ? (
      <LoadFailed title={pactStrings.failed} busy={isFetching} onRetry={() => void refetch()} />
    ) : (
      <Loading label={pactStrings.loading}>
        <Skeleton className="h-24" />
      </Loading>
    );
  }
  const pact = data.own.find(({ id, closed_at: closedAt }) => id === pactId && closedAt === null);
  if (!pact) {
    return (
      <EmptyState
        title={pactStrings.gone}
        action={
          <Button asChild variant="secondary">
            <Link to={paths.pacts}>{newSubmissionStrings.allPacts}</Link>
          </Button>
        }
      >
        {pactStrings.goneText}
      </EmptyState>
    );
  }
  return (
    <>
      <blockquote className="border-l-4 border-line pl-4">
        <p className="text-sm text-muted">{newSubmissionStrings.pact}</p>
        <p dir="auto" className="display text-xl break-words">
          {pact.title}
        </p>
      </blockquote>
      <SubmissionForm key={pactId} pactId={pactId} onCreated={onCreated} />
    </>
  );
}
