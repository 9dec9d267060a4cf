import { Flag } from "lucide-react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import type { ReportDecision } from "../api/resolve-report.ts";
import type { MessageReport } from "../api/fetch-reports.ts";
import { useResolveReport } from "../mutations.ts";
import { useReports } from "../queries.ts";
import { messageReportStrings } from "../strings.ts";
import { ReportedPicture } from "./reported-picture.tsx";

/** The messages members have reported, oldest first, each to be kept or deleted. */
export function ModerationQueue() {
  const { data, isError, isFetching, refetch } = useReports();
  const resolveReport = useResolveReport();
  const { asking, ask, dialog } = useDecision<{
    readonly report: MessageReport;
    readonly decision: ReportDecision;
  }>({
    save: ({ report, decision }) => resolveReport(report.id, decision),
    onSaved: ({ decision }) =>
      toast.good(decision === "keep" ? messageReportStrings.kept : messageReportStrings.removed),
    onFailed: () => toast.danger(messageReportStrings.notSaved),
  });

  return (
    <>
      <QueueSection
        id="moderation-queue"
        title={messageReportStrings.title}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={messageReportStrings.loading}
        failedTitle={messageReportStrings.failed}
        emptyTitle={messageReportStrings.emptyTitle}
        emptyText={messageReportStrings.emptyText}
      >
        {(report) => <Report report={report} onDecide={(decision) => ask({ report, decision })} />}
      </QueueSection>
      <ConfirmDialog
        {...dialog}
        title={
          asking?.decision === "remove"
            ? messageReportStrings.removeTitle
            : messageReportStrings.keepTitle
        }
        description={
          asking?.decision === "remove"
            ? messageReportStrings.removeText
            : messageReportStrings.keepText
        }
        confirmLabel={
          asking?.decision === "remove"
            ? messageReportStrings.removeConfirm
            : messageReportStrings.keepConfirm
        }
        cancelLabel={messageReportStrings.notYet}
        danger={asking?.decision === "remove"}
      />
    </>
  );
}

function Report({
  report,
  onDecide,
}: {
  readonly report: MessageReport;
  readonly onDecide: (decision: ReportDecision) => void;
}) {
  const now = useNow();
  const changed = report.content !== report.reportedContent;
  return (
    <div className="grid gap-3 px-5 py-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <bdi className="font-medium">{report.author}</bdi>
        <RoleBadge role={report.role} label={roleNames[report.role]} />
        <span className="text-muted">
          {messageReportStrings.inRoom}
          <Link
            className="text-ink underline underline-offset-4"
            to={`${paths.chats}/${report.roomId}#${report.messageId}`}
          >
            {report.roomName}
          </Link>
        </span>
        <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
          {messageReportStrings.reports(report.reports)}, {shortTime(report.reportedAt, now)}
        </Badge>
      </p>
      <blockquote
        dir="auto"
        className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
      >
        {report.reportedContent}
      </blockquote>
      {report.reportedPicture === null ? null : (
        <ReportedPicture name={report.reportedPicture} alt={report.reportedPictureAlt} />
      )}
      {changed ? (
        <p className="text-sm text-muted">
          {report.content === ""
            ? messageReportStrings.deletedSince
            : messageReportStrings.editedSince}
        </p>
      ) : null}
      <ul aria-label={messageReportStrings.reasons} className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index} dir="auto" className="break-words whitespace-pre-line">
            “{reason}”
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={() => onDecide("keep")}>
          {messageReportStrings.keep}
        </Button>
        <Button variant="danger" size="sm" onClick={() => onDecide("remove")}>
          {messageReportStrings.remove}
        </Button>
      </div>
    </div>
  );
}
