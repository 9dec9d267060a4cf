import { Flag } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { adminMemberPath } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { useBackend } from "@/lib/backend.tsx";
import { pluralise } from "@/lib/format-count.ts";
import { shortTime } from "@/lib/format-time.ts";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { useNow } from "@/lib/use-now.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Badge, RoleBadge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import type { MemberReport, ProfileDecision } from "../api/member-reports.ts";
import { useResolveMemberReport } from "../mutations.ts";
import { useMemberReports } from "../queries.ts";
import { TopicList } from "./topic-list.tsx";

const questions = {
  keep: {
    title: "Keep this profile as it is?",
    description: "Its reports are closed. Your decision is recorded with your name.",
    confirm: "Keep profile",
    done: "Profile kept.",
  },
  clear: {
    title: "Clear this profile?",
    description:
      "This deletes the bio and the topics. You can't undo this. Your decision is recorded with your name.",
    confirm: "Clear profile",
    done: "Profile cleared.",
  },
} as const satisfies Record<ProfileDecision, unknown>;

/** The members whom others have reported, oldest first, each profile to be kept or cleared. */
export function MemberReportQueue() {
  const { data, isError, isFetching, refetch } = useMemberReports();
  const resolve = useResolveMemberReport();
  const [asking, setAsking] = useState<{
    readonly report: MemberReport;
    readonly decision: ProfileDecision;
  } | null>(null);
  const [busy, setBusy] = useState(false);
  const question = questions[asking?.decision ?? "keep"];

  async function decide(): Promise<void> {
    if (!asking) return;
    setBusy(true);
    try {
      await resolve(asking.report.id, asking.decision);
      toast.good(question.done);
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
        id="member-report-queue"
        title="Reported members"
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel="Loading the reports"
        failedTitle="We couldn't load the reports"
        emptyTitle="No reported members"
        emptyText="Members whom others report appear here, oldest first."
      >
        {(report) => (
          <Report report={report} onDecide={(decision) => setAsking({ report, decision })} />
        )}
      </QueueSection>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => (open ? undefined : setAsking(null))}
        title={question.title}
        description={question.description}
        confirmLabel={question.confirm}
        cancelLabel="Not yet"
        danger={asking?.decision === "clear"}
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
              {pluralise(report.reports, "report")}, {shortTime(report.reportedAt, now)}
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
        <p className="text-sm text-muted">
          This profile has since been edited. The reported version is shown above.
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
        <Button variant="danger" size="sm" onClick={() => onDecide("clear")}>
          Clear bio and topics
        </Button>
        <Button asChild variant="quiet" size="sm">
          <Link to={adminMemberPath(memberId)}>Open the account</Link>
        </Button>
      </div>
    </div>
  );
}
