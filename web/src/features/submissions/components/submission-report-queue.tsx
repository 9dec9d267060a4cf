import { Flag } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { submissionCommentsPath, submissionPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { pluralise } from "@/lib/format-count.ts";
import { shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import type { PostDecision, SubmissionReport } from "../api/submission-reports.ts";
import { useResolveSubmissionReport } from "../mutations.ts";
import { useSubmissionReports } from "../queries.ts";

const nameOf = (report: SubmissionReport | undefined) =>
  report?.isComment ? "comment" : "submission";

/** The submissions and comments members have reported, oldest first, each to be kept or deleted. */
export function SubmissionReportQueue() {
  const { data, isError, isFetching, refetch } = useSubmissionReports();
  const resolve = useResolveSubmissionReport();
  const [asking, setAsking] = useState<{
    readonly report: SubmissionReport;
    readonly decision: PostDecision;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const removing = asking?.decision === "remove";
  const name = nameOf(asking?.report);

  async function decide(): Promise<void> {
    if (!asking) return;
    setBusy(true);
    try {
      await resolve(asking.report.id, asking.decision);
      toast.good(`The ${name} was ${removing ? "deleted" : "kept"}.`);
    } catch (error) {
      console.error("The decision was not saved", error);
      toast.danger("Your decision wasn't saved. Another administrator may have decided already.");
    } finally {
      setBusy(false);
      setAsking(null);
    }
  }

  return (
    <>
      <QueueSection
        id="submission-report-queue"
        title="Reported submissions and comments"
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel="Loading the reports"
        failedTitle="We couldn't load the reports"
        emptyTitle="No reported submissions"
        emptyText="Submissions and comments that members report appear here, oldest first."
      >
        {(report) => (
          <Report report={report} onDecide={(decision) => setAsking({ report, decision })} />
        )}
      </QueueSection>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => (open ? undefined : setAsking(null))}
        title={removing ? `Delete this ${name}?` : `Keep this ${name}?`}
        description={
          removing
            ? `This deletes the ${name} for everyone. You can't undo this. Your decision is recorded with your name.`
            : `The ${name} stays and its reports are closed. Your decision is recorded with your name.`
        }
        confirmLabel={removing ? `Delete ${name}` : `Keep ${name}`}
        cancelLabel="Not yet"
        danger={removing}
        busy={busy}
        onConfirm={() => void decide()}
      />
    </>
  );
}

function Report({
  report,
  onDecide,
}: {
  readonly report: SubmissionReport;
  readonly onDecide: (decision: PostDecision) => void;
}) {
  const now = useNow();
  const { author, role, submissionId, isComment, title } = report;
  return (
    <div className="grid grid-cols-1 gap-3 px-5 py-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <bdi className="font-medium">{author}</bdi>
        <RoleBadge role={role} label={roleNames[role]} />
        <span className="min-w-0 text-muted">
          {isComment ? "comment on" : "submission"}{" "}
          <Link
            className="break-words text-ink underline underline-offset-4"
            to={isComment ? submissionCommentsPath(submissionId) : submissionPath(submissionId)}
          >
            <bdi>{title}</bdi>
          </Link>
        </span>
        <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
          {pluralise(report.reports, "report")}, {shortTime(report.reportedAt, now)}
        </Badge>
      </p>
      <blockquote
        dir="auto"
        className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
      >
        {report.content}
      </blockquote>
      {report.isChanged ? (
        <p className="text-sm text-muted">
          This has since been edited. The reported version is shown above.
        </p>
      ) : null}
      <ul aria-label="Reasons" className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index} dir="auto" className="break-words">
            “{reason}”
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={() => onDecide("keep")}>
          Keep
        </Button>
        <Button variant="danger" size="sm" onClick={() => onDecide("remove")}>
          Delete
        </Button>
      </div>
    </div>
  );
}
