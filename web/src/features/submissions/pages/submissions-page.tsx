import { PenLine } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { BlockedMembers } from "@/features/people/index.ts";
import { useOnline } from "@/lib/use-online.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { toSubmissionType } from "../model/submission-type.ts";
import { submissionFeedStrings } from "../strings.ts";
import { useLiveFeed } from "../use-live-feed.ts";
import { SubmissionFeed } from "../components/submission-feed.tsx";
import { SingleSubmission } from "../components/single-submission.tsx";
import { TypeFilter } from "../components/type-filter.tsx";

/**
 * `/learning/submissions`: what members share, newest first; `?type=` filters, `?submission=` shows
 * one, with `&comments=open` its comments as well.
 */
export function SubmissionsPage() {
  useLiveFeed();
  const [parameters] = useSearchParams();
  const online = useOnline();
  const type = toSubmissionType(parameters.get("type"));
  const one = parameters.get("submission");
  return (
    <div className="grid max-w-column grid-cols-1 gap-6 xl:max-w-[calc(var(--container-column)+17rem)]">
      {/* As wide as on the page of the pacts, between which one goes to and fro. */}
      <PageHeader
        className="max-w-column pb-0"
        title={submissionFeedStrings.title}
        intro={submissionFeedStrings.intro}
        actions={
          <Button asChild>
            <Link to={paths.newSubmission}>
              <PenLine aria-hidden className="size-4" />
              {submissionFeedStrings.create}
            </Link>
          </Button>
        }
      />
      {online ? null : (
        <Alert tone="warn" title={submissionFeedStrings.offlineTitle}>
          {submissionFeedStrings.offline}
        </Alert>
      )}
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1fr)_15rem] xl:items-start xl:gap-x-8">
        <TypeFilter chosen={type} className="xl:sticky xl:top-24 xl:order-last" />
        <div className="grid grid-cols-1">
          <BlockedMembers>
            {one === null ? (
              <SubmissionFeed type={type} />
            ) : (
              <SingleSubmission
                key={one}
                id={one}
                showsComments={parameters.get("comments") === "open"}
              />
            )}
          </BlockedMembers>
        </div>
      </div>
    </div>
  );
}
