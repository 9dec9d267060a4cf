import { Flag } from "lucide-react";
import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { clockTime, shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import type { TextDecision } from "../api/text-reports.ts";
import type { TextReport } from "../model/text-report.ts";
import { useResolveTextReport } from "../mutations.ts";
import { useTextReports } from "../queries.ts";
import { textReportStrings } from "../strings.ts";

/** Reported direct messages and posts, oldest first, each to be kept or deleted. */
export function TextReportQueue() {
  const { data, isError, isFetching, refetch } = useTextReports();
  const resolve = useResolveTextReport();
  const { asking, ask, dialog } = useDecision<{
    readonly report: TextReport;
    readonly decision: TextDecision;
  }>({
    save: ({ report, decision }) => resolve(report.id, decision),
    onSaved: ({ report, decision }) =>
      toast.good(textReportStrings.decided(report.subject, decision === "remove")),
    onFailed: () => toast.danger(textReportStrings.notSaved),
  });
  const subject = asking?.report.subject ?? "message";
  const removing = asking?.decision === "remove";

  return (
    <>
      <QueueSection
        id="text-report-queue"
        title={textReportStrings.title}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={textReportStrings.loading}
        failedTitle={textReportStrings.failed}
        emptyTitle={textReportStrings.emptyTitle}
        emptyText={textReportStrings.emptyText}
      >
        {(report) => <Report report={report} onDecide={(decision) => ask({ report, decision })} />}
      </QueueSection>
      <ConfirmDialog
        {...dialog}
        title={
          removing ? textReportStrings.removeTitle(subject) : textReportStrings.keepTitle(subject)
        }
        description={removing ? textReportStrings.removeText : textReportStrings.keepText}
        confirmLabel={
          removing
            ? textReportStrings.removeConfirm(subject)
            : textReportStrings.keepConfirm(subject)
        }
        cancelLabel={textReportStrings.notYet}
        danger={removing}
      />
    </>
  );
}

function Report({
  report,
  onDecide,
}: {
  readonly report: TextReport;
  readonly onDecide: (decision: TextDecision) => void;
}) {
  const now = useNow();
  const { author, context } = report;
  return (
    <div className="grid gap-3 px-5 py-4">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <bdi className="font-medium">{author.name}</bdi>
        <RoleBadge role={author.role} label={roleNames[author.role]} />
        <span className="text-muted">{textReportStrings.writtenIn(report.subject)}</span>
        <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
          {textReportStrings.reports(report.reports)}, {shortTime(report.reportedAt, now)}
        </Badge>
      </p>
      {context.length === 0 ? null : (
        <ol aria-label={textReportStrings.context} className="grid gap-1 text-sm text-muted">
          {context.map((each, index) => (
            <li key={index} className="break-words whitespace-pre-wrap">
              <span className="tabular text-xs">{clockTime(each.createdAt)}</span>{" "}
              <bdi className="font-medium">{each.author}</bdi>: <bdi>{each.content}</bdi>
            </li>
          ))}
        </ol>
      )}
      <blockquote
        dir="auto"
        className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
      >
        {report.content}
      </blockquote>
      {report.isChanged ? (
        <p className="text-sm text-muted">{textReportStrings.changedSince}</p>
      ) : null}
      <ul aria-label={textReportStrings.reasons} className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index} dir="auto" className="break-words whitespace-pre-line">
            “{reason}”
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={() => onDecide("keep")}>
          {textReportStrings.keep}
        </Button>
        <Button variant="danger" size="sm" onClick={() => onDecide("remove")}>
          {textReportStrings.remove}
        </Button>
        <Button asChild variant="quiet" size="sm">
          <Link to={adminMemberPath(author.id)}>{textReportStrings.openAccount}</Link>
        </Button>
      </div>
    </div>
  );
}
