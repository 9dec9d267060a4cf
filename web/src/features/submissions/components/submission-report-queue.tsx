import { Flag } from "lucide-react";
import { Link } from "react-router";
import { submissionCommentsPath, submissionPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import type { PostDecision, SubmissionReport } from "../api/submission-reports.ts";
import { useResolveSubmissionReport } from "../mutations.ts";
import { useSubmissionReports } from "../queries.ts";
import { submissionReportStrings } from "../strings.ts";

/** The submissions and comments members have reported, oldest first, each to be kept or deleted. */
export function SubmissionReportQueue() {
  const { data, isError, isFetching, refetch } = useSubmissionReports();
  const resolve = useResolveSubmissionReport();
  const { asking, ask, dialog } = useDecision<{
    readonly report: SubmissionReport;
    readonly decision: PostDecision;
  }>({
    save: ({ report, decision }) => resolve(report.id, decision),
    onSaved: ({ report, decision }) =>
      toast.good(
        submissionReportStrings.decided(
          submissionReportStrings.postName(report.isComment),
          decision === "remove",
        ),
      ),
    onFailed: () => toast.danger(submissionReportStrings.decisionFailed),
  });
  const removing = asking?.decision === "remove";
  const name = submissionReportStrings.postName(asking?.report.isComment === true);

  return (
    <>
      <QueueSection
        id="submission-report-queue"
        title={submissionReportStrings.title}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={submissionReportStrings.loading}
        failedTitle={submissionReportStrings.loadFailed}
        emptyTitle={submissionReportStrings.emptyTitle}
        emptyText={submissionReportStrings.empty}
      >
        {(report) => <Report report={report} onDecide={(decision) => ask({ report, decision })} />}
      </QueueSection>
      <ConfirmDialog
        {...dialog}
        title={
          removing
            ? submissionReportStrings.deleteTitle(name)
            : submissionReportStrings.keepTitle(name)
        }
        description={
          removing
            ? submissionReportStrings.deleteText(name)
            : submissionReportStrings.keepText(name)
        }
        confirmLabel={
          removing
            ? submissionReportStrings.deleteConfirm(name)
            : submissionReportStrings.keepConfirm(name)
        }
        cancelLabel={submissionReportStrings.cancel}
        danger={removing}
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
          {submissionReportStrings.place(isComment)}
          <Link
            className="break-words text-ink underline underline-offset-4"
            to={isComment ? submissionCommentsPath(submissionId) : submissionPath(submissionId)}
          >
            <bdi>{title}</bdi>
          </Link>
        </span>
        <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
          {submissionReportStrings.reports(report.reports, shortTime(report.reportedAt, now))}
        </Badge>
      </p>
      <blockquote
        dir="auto"
        className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
      >
        {report.content}
      </blockquote>
      {report.isChanged ? (
        <p className="text-sm text-muted">{submissionReportStrings.changed}</p>
      ) : null}
      <ul aria-label={submissionReportStrings.reasons} className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index} dir="auto" className="break-words whitespace-pre-line">
            “{reason}”
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={() => onDecide("keep")}>
          {submissionReportStrings.keep}
        </Button>
        <Button variant="danger" size="sm" onClick={() => onDecide("remove")}>
          {submissionReportStrings.delete}
        </Button>
      </div>
    </div>
  );
}
