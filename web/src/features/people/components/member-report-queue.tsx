import { Flag } from "lucide-react";
import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { useBackend } from "@/lib/backend.tsx";
import { shortTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import type { MemberReport, ProfileDecision } from "../api/member-reports.ts";
import { useResolveMemberReport } from "../mutations.ts";
import { useMemberReports } from "../queries.ts";
import { memberReportQuestions, memberReportStrings } from "../strings.ts";
import { TopicList } from "./topic-list.tsx";

/** The members whom others have reported, oldest first, each profile to be kept or cleared. */
export function MemberReportQueue() {
  const { data, isError, isFetching, refetch } = useMemberReports();
  const resolve = useResolveMemberReport();
  const { asking, ask, dialog } = useDecision<{
    readonly report: MemberReport;
    readonly decision: ProfileDecision;
  }>({
    save: ({ report, decision }) => resolve(report.id, decision),
    onSaved: ({ decision }) => toast.good(memberReportQuestions[decision].done),
    onFailed: () => toast.danger(memberReportStrings.notSaved),
  });
  const question = memberReportQuestions[asking?.decision ?? "keep"];

  return (
    <>
      <QueueSection
        id="member-report-queue"
        title={memberReportStrings.title}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={memberReportStrings.loading}
        failedTitle={memberReportStrings.failed}
        emptyTitle={memberReportStrings.emptyTitle}
        emptyText={memberReportStrings.emptyText}
      >
        {(report) => <Report report={report} onDecide={(decision) => ask({ report, decision })} />}
      </QueueSection>
      <ConfirmDialog
        {...dialog}
        title={question.title}
        description={question.description}
        confirmLabel={question.confirm}
        cancelLabel={memberReportStrings.notYet}
        danger={asking?.decision === "clear"}
      />
    </>
  );
}

function Report({
  report,
  onDecide,
}: {
  readonly report: MemberReport;
  readonly onDecide: (decision: ProfileDecision) => void;
}) {
  const now = useNow();
  const { client } = useBackend();
  const { memberId, name, role, occupation, bio, topics } = report;
  return (
    <div className="grid gap-3 px-5 py-4">
      <div className="flex items-center gap-3">
        <Avatar id={memberId} name={name} picture={profilePictureUrl(client, report.avatarUrl)} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <bdi className="font-medium">{name}</bdi>
            <RoleBadge role={role} label={roleNames[role]} />
            <Badge colour="warn" icon={<Flag aria-hidden className="size-3" />} className="tabular">
              {memberReportStrings.reports(report.reports)}, {shortTime(report.reportedAt, now)}
            </Badge>
          </p>
          <p className="text-sm break-words text-muted">{occupation}</p>
        </div>
      </div>
      {bio === "" ? null : (
        <blockquote
          dir="auto"
          className="max-h-48 overflow-y-auto border-l-2 border-line pl-3 break-words whitespace-pre-wrap"
        >
          {bio}
        </blockquote>
      )}
      <TopicList topics={topics} />
      {report.isChanged ? (
        <p className="text-sm text-muted">{memberReportStrings.changedSince}</p>
      ) : null}
      <ul aria-label={memberReportStrings.reasons} className="grid gap-1 text-sm text-muted">
        {report.reasons.map((reason, index) => (
          <li key={index} dir="auto" className="break-words whitespace-pre-line">
            “{reason}”
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" size="sm" onClick={() => onDecide("keep")}>
          {memberReportStrings.keep}
        </Button>
        <Button variant="danger" size="sm" onClick={() => onDecide("clear")}>
          {memberReportStrings.clear}
        </Button>
        <Button asChild variant="quiet" size="sm">
          <Link to={adminMemberPath(memberId)}>{memberReportStrings.openAccount}</Link>
        </Button>
      </div>
    </div>
  );
}
